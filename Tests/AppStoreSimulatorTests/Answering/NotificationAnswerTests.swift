import AppStoreModel
import AppStoreSimulator
import Testing

struct NotificationAnswerTests {
  private static let path = "/inApps/v1/notifications/history"
  private static let now = Caller.now.millisecondsSince1970

  /// 45 packs of coins, one a minute, 44 of Ada's and one of Ben's.
  private static func selling(
    _ environment: AppStoreEnvironment = .production
  ) throws -> (Caller, ada: String) {
    var ada = ""
    let caller = try Caller(environment) { store, now in
      let people = [store.enroll("Ada"), store.enroll("Ben")]
      for minute in 0..<45 {
        let then = now.subtracting(.days(1)).adding(.minutes(Int64(minute)))
        let id = try store.buy(
          SimulatedProduct.coins.id, by: people[minute == 44 ? 1 : 0], at: then)
        if minute == 0 { ada = id }
      }
    }
    return (caller, ada)
  }

  private static func body(_ more: String = "", days: Int64 = 10) -> String {
    "{\"startDate\":\(now - days * 86_400_000),\"endDate\":\(now + 1)\(more)}"
  }

  private func walk(_ caller: inout Caller, _ body: String) throws -> [JSONValue] {
    var seen: [JSONValue] = []
    var path = Self.path
    while true {
      let answer = try caller.post(path, body)
      seen += answer["notificationHistory"]?.array ?? []
      guard answer["hasMore"] == .bool(true) else { return seen }
      path = Self.path + "?paginationToken=\(answer["paginationToken"]?.string ?? "")"
    }
  }

  @Test func `every notification is told once, with its attempts`() throws {
    var (caller, _) = try Self.selling()
    let all = try walk(&caller, Self.body())
    #expect(all.count == 45)
    let attempts = all[0]["sendAttempts"]?.array
    #expect(attempts?.count == 1)
    #expect(attempts?.first?["sendAttemptResult"]?.string == "SUCCESS")
    #expect(attempts?.first?["attemptDate"]?.integer == Self.now - 86_400_000)
    let payload = try Caller.payload(all[0]["signedPayload"]?.string)
    #expect(payload["notificationType"]?.string == "ONE_TIME_CHARGE")
  }

  @Test func `filters narrow the list`() throws {
    var (caller, ada) = try Self.selling()
    let rows: [(String, Int)] = [
      (",\"notificationType\":\"ONE_TIME_CHARGE\"", 45), (",\"notificationType\":\"REFUND\"", 0),
      (",\"transactionId\":\"\(ada)\"", 44), (",\"transactionId\":\"1\"", 0),
      (",\"onlyFailures\":true", 0), (",\"onlyFailures\":null", 45),
      (",\"notificationType\":\"DID_RENEW\",\"notificationSubtype\":\"BILLING_RECOVERY\"", 0),
    ]
    for (more, count) in rows { #expect(try walk(&caller, Self.body(more)).count == count) }
  }

  @Test(arguments: [
    ("", "400 4000000"), ("[]", "400 4000000"), ("{}", "400 4000015"),
    ("{\"startDate\":1}", "400 4000016"), ("{\"startDate\":2,\"endDate\":2}", "400 4000013"),
    (body(days: 181), "400 4000012"),
    (body(",\"notificationType\":\"NOTHING\""), "400 4000018"),
    (body(",\"notificationSubtype\":\"INITIAL_BUY\""), "400 4000018"),
    (body(",\"notificationType\":\"TEST\",\"transactionId\":\"1\""), "400 4000019"),
    (body(",\"transactionId\":\"\""), "400 4000006"),
  ])
  func `a body that makes no sense is refused by number`(body: String, verdict: String) throws {
    var (caller, _) = try Self.selling()
    #expect(caller.verdict("POST", Self.path, body) == verdict)
  }

  @Test func `the sandbox keeps a month`() throws {
    var (caller, _) = try Self.selling(.sandbox)
    let path = "/sandbox" + Self.path
    #expect(caller.verdict("POST", path, Self.body(days: 31)) == "400 4000012")
    #expect(caller.verdict("POST", path, Self.body(days: 29)) == "200")
  }

  @Test func `a token is good for its body and its time`() throws {
    var (caller, _) = try Self.selling()
    let token = try caller.post(Self.path, Self.body())["paginationToken"]?.string ?? ""
    let next = Self.path + "?paginationToken=" + token
    #expect(caller.verdict("POST", next, Self.body()) == "200")
    #expect(caller.verdict("POST", next, Self.body(days: 9)) == "400 4000014")
    #expect(
      caller.verdict("POST", Self.path + "?paginationToken=x", Self.body()) == "400 4000014")
    caller.server.travel(.hours(25), at: caller.now)
    #expect(caller.verdict("POST", next, Self.body()) == "400 4000017")
  }

  @Test func `an outage of a week leaves six failures, and one in the sandbox`() throws {
    for (environment, count) in [(AppStoreEnvironment.production, 6), (.sandbox, 1)] {
      var faults = PlannedFaults()
      faults.outages = [PlannedFaults.Outage(start: .zero, length: .days(8))]
      var caller = try Caller(environment, faults: faults) { store, now in
        let ada = store.enroll("Ada")
        try store.buy(SimulatedProduct.coins.id, by: ada, at: now.subtracting(.days(20)))
        try store.buy(SimulatedProduct.coins.id, by: ada, at: now.subtracting(.days(1)))
      }
      let path = (environment == .sandbox ? "/sandbox" : "") + Self.path
      let answer = try caller.post(path, Self.body(",\"onlyFailures\":true", days: 25))
      let failed = answer["notificationHistory"]?.array ?? []
      #expect(failed.count == 1)
      let attempts = failed.first?["sendAttempts"]?.array ?? []
      #expect(attempts.count == count)
      let dates = attempts.compactMap { $0["attemptDate"]?.integer }
      #expect(
        dates.map { ($0 - dates[0]) / 3_600_000 }
          == [0, 1, 13, 37, 85, 157].prefix(count).map { Int64($0) })
      #expect(attempts.allSatisfy { $0["sendAttemptResult"]?.string == "NO_RESPONSE" })
    }
  }

  @Test func `a test notification needs a receiver, and is told of once it was sent`() throws {
    var lonely = Caller()
    #expect(lonely.verdict("POST", "/inApps/v1/notifications/test") == "404 4040007")
    var caller = Caller(hasReceiver: true)
    let token = try caller.post("/inApps/v1/notifications/test", "")["testNotificationToken"]?
      .string
    let path = "/inApps/v1/notifications/test/\(token ?? "")"
    #expect(caller.verdict("GET", path) == "404 4040008")
    let next = caller.server.nextTransmission(at: caller.now)
    let sent = try #require(next)
    caller.server.record(.unsuccessfulStatus, of: sent)
    let status = try caller.get(path)
    #expect(
      try Caller.payload(status["signedPayload"]?.string)["notificationType"]?.string == "TEST")
    let attempt = status["sendAttempts"]?.array?.first
    #expect(attempt?["sendAttemptResult"]?.string == "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
    #expect(caller.verdict("GET", "/inApps/v1/notifications/test/x") == "400 4000020")
  }
}
