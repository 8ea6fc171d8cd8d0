import AppStoreModel
import AppStoreSimulator
import Testing

struct ControlTests {
  private var caller = Caller()

  private mutating func post(_ word: String, _ body: String = "{}") throws -> JSONValue {
    try caller.post("/control/\(word)", body)
  }

  private mutating func title(_ index: Int) throws -> String? {
    try caller.get("/control/notifications")["notifications"]?.array?[index]["type"]?.string
  }

  @Test mutating func `somebody buys, is refunded, and gets it back`() throws {
    let bought = try post("buy", "{\"product\":\"pro\",\"customer\":\"Ada\"}")
    let id = bought["transactionId"]?.string ?? ""
    #expect(try title(0) == "SUBSCRIBED/INITIAL_BUY")
    _ = try post("refund", "{\"transactionId\":\"\(id)\",\"percentMilliunits\":41250}")
    let listed = try caller.get("/control/transactions")["transactions"]?.array?.first
    #expect(listed?["revocationDate"] != nil)
    #expect(listed?["customer"]?.string == "Ada")
    #expect(try title(1) == "REFUND")
    let truth = try caller.get("/control/truth")["customers"]?.array?.first
    #expect(truth?["products"]?["com.example.app.pro"] == .bool(false))
    _ = try post("reverse", "{\"transactionId\":\"\(id)\"}")
    #expect(try title(2) == "REFUND_REVERSED")
    #expect(caller.verdict("POST", "/control/reverse", "{\"transactionId\":\"\(id)\"}") == "409")
    #expect(caller.verdict("GET", "/sandbox/inApps/v1/transactions/\(id)") == "404 4040010")
  }

  @Test mutating func `everything that can be done to a subscription`() throws {
    let bought = try post("buy", "{\"product\":\"basic\",\"customer\":\"Ada\"}")
    let id = bought["transactionId"]?.string ?? ""
    let one = "{\"transactionId\":\"\(id)\""
    let share = try post("share", one + ",\"customer\":\"Ben\"}")["transactionId"]?.string ?? ""
    _ = try post("revoke-family", "{\"transactionId\":\"\(share)\"}")
    _ = try post("auto-renew", one + ",\"on\":false}")
    _ = try post("auto-renew", one + ",\"on\":true}")
    _ = try post("renew", one + "}")
    _ = try post("upgrade", one + ",\"product\":\"pro\"}")
    _ = try post("request-refund", one + ",\"reason\":\"LEGAL\"}")
    _ = try post("decline", one + "}")
    _ = try post("request-refund", one + "}")
    _ = try post("decide", one + "}")
    _ = try post("fail-payment", one + ",\"graceDays\":3}")
    _ = try post("recover", one + "}")
    _ = try post("expire", one + "}")
    _ = try post("test")
    let all = try caller.get("/control/notifications")["notifications"]?.array ?? []
    #expect(
      all.compactMap { $0["type"]?.string } == [
        "SUBSCRIBED/INITIAL_BUY", "SUBSCRIBED/INITIAL_BUY", "REVOKE",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "DID_RENEW",
        "DID_CHANGE_RENEWAL_PREF/UPGRADE", "CONSUMPTION_REQUEST", "REFUND_DECLINED",
        "CONSUMPTION_REQUEST", "REFUND", "DID_FAIL_TO_RENEW/GRACE_PERIOD",
        "DID_RENEW/BILLING_RECOVERY", "EXPIRED/VOLUNTARY", "TEST",
      ])
    #expect(try caller.get("/control/customers")["customers"]?.array?.count == 2)
  }

  @Test mutating func `time travels, and the store lives meanwhile`() throws {
    _ = try post("buy", "{\"product\":\"pro\",\"customer\":\"Ada\"}")
    let moved = try post("travel", "{\"days\":30,\"hours\":2}")
    #expect(
      moved["storeTimeMs"]?.integer
        == caller.now.adding(.days(30)).adding(.hours(2)).millisecondsSince1970)
    #expect(try title(1) == "DID_RENEW")
    // The token is judged by the host's clock, which did not move.
    #expect(caller.verdict("GET", "/inApps/v1/transactions/1") == "404 4040010")
  }

  @Test mutating func `journeys end while moments can still be named`() throws {
    var verdicts: Set<String> = []
    for _ in 0..<90 {
      verdicts.insert(caller.verdict("POST", "/control/travel", "{\"days\":36525}"))
    }
    #expect(verdicts == ["200", "400"])
    let clock = try caller.get("/control")["storeTimeMs"]?.integer ?? .max
    #expect(clock < Timestamp.nameable.upperBound.millisecondsSince1970)
  }

  @Test mutating func `calls fail as told`() throws {
    let path = "/inApps/v1/transactions/1"
    _ = try post("fail", "{\"errorCode\":4290000,\"retryAfterMs\":7}")
    let limited = caller.call("GET", path)
    #expect(limited.status == 429)
    #expect(limited.headers.contains { $0.name == "Retry-After" && $0.value == "7" })
    _ = try post("fail", "{\"status\":502,\"body\":\"<html>\",\"endpoint\":\"transactions\"}")
    #expect(caller.call("GET", path).body == Array("<html>".utf8))
    _ = try post("fail", "{\"hang\":true}")
    _ = try post("fail", "{\"close\":true}")
    #expect(caller.call("GET", path).conduct == .hang)
    #expect(caller.call("GET", path).conduct == .close)
    #expect(caller.call("GET", path).status == 404)
  }

  @Test mutating func `calls of one environment fail as told to it, and are counted there`() throws
  {
    let production = "/inApps/v1/transactions/1"
    let sandbox = "/sandbox" + production
    _ = try caller.post("/sandbox/control/fail", "{\"errorCode\":4290000,\"count\":2}")
    #expect(try caller.get("/control")["pendingFaults"]?.integer == 0)
    #expect(caller.call("GET", production).status == 404)
    #expect(caller.call("GET", sandbox).status == 429)
    _ = try post("mend")
    #expect(caller.call("GET", sandbox).status == 429)
    #expect(caller.call("GET", sandbox).status == 404)
    #expect(try caller.get("/control")["calls"]?["transactionInfo"]?.integer == 1)
    #expect(try caller.get("/sandbox/control")["calls"]?["transactionInfo"]?.integer == 3)
  }

  @Test mutating func `work may be done although its answer is lost`() throws {
    let bought = try post("buy", "{\"product\":\"pro\",\"customer\":\"Ada\"}")
    let id = bought["transactionId"]?.string ?? ""
    _ = try post("fail", "{\"status\":503,\"afterwards\":true}")
    let body = "{\"extendByDays\":5,\"extendReasonCode\":0,\"requestIdentifier\":\"r\"}"
    #expect(caller.verdict("PUT", "/inApps/v1/subscriptions/extend/\(id)", body) == "503")
    #expect(try title(1) == "RENEWAL_EXTENDED")
  }

  @Test mutating func `switches are set and told`() throws {
    _ = try post("skew", "{\"seconds\":-34}")
    _ = try post("lag", "{\"minutes\":5}")
    _ = try post("release", "{\"released\":false}")
    _ = try post("limits", "{\"calls\":3,\"windowMs\":1000,\"endpoint\":\"history\"}")
    _ = try post("delivery", "{\"duplicatePerMille\":1000,\"resign\":true}")
    let told = try caller.get("/control")
    #expect(told["clockSkewMs"]?.integer == -34_000)
    #expect(told["lagMs"]?.integer == 300_000)
    #expect(told["released"] == .bool(false))
    #expect(told["keyId"]?.string == caller.server.key.keyId)
    #expect(caller.server.limits.limit(.history, in: .sandbox) == 3)
    #expect(caller.server.outbox(.production)?.faults.resignsRetries == true)
  }

  @Test mutating func `a receiver that is down is tried again by the timetable`() throws {
    _ = try post("outage", "{\"down\":true}")
    _ = try post("buy", "{\"product\":\"coins\",\"customer\":\"Ada\"}")
    _ = try post("travel", "{\"hours\":14}")
    _ = try post("outage", "{\"down\":false}")
    _ = try post("travel", "{\"hours\":24}")
    let sent = try caller.get("/control/notifications")["notifications"]?.array?.first
    #expect(
      sent?["sendAttempts"]?.array?.compactMap { $0["sendAttemptResult"]?.string }
        == ["NO_RESPONSE", "NO_RESPONSE", "NO_RESPONSE", "SUCCESS"])
  }

  @Test(arguments: [
    ("POST", "nothing", "{}", "404"), ("GET", "nothing", "", "404"), ("PUT", "buy", "{}", "405"),
    ("POST", "buy", "[]", "400"), ("POST", "buy", "{\"product\":\"pro\"}", "400"),
    ("POST", "buy", "{\"customer\":\"Ada\"}", "400"), ("POST", "refund", "{}", "400"),
    ("POST", "buy", "{\"product\":\"x\",\"customer\":\"Ada\"}", "409"),
    ("POST", "refund", "{\"transactionId\":\"1\"}", "409"), ("POST", "travel", "{}", "400"),
    ("POST", "travel", "{\"days\":9223372036854775807}", "400"),
    ("POST", "travel", "{\"days\":36526}", "400"), ("POST", "travel", "{\"days\":-1}", "400"),
    ("POST", "travel", "{\"milliseconds\":-9223372036854775808}", "400"),
    ("POST", "skew", "{\"milliseconds\":-9223372036854775808}", "400"),
    ("POST", "lag", "{\"milliseconds\":-9223372036854775808}", "400"),
    ("POST", "lag", "{\"days\":-9223372036854775808,\"hours\":1}", "400"),
    ("POST", "limits", "{\"windowMs\":9223372036854775807}", "400"),
    ("POST", "fail", "{\"status\":99}", "400"), ("POST", "fail", "{\"errorCode\":1}", "400"),
    ("POST", "fail", "{\"endpoint\":\"x\"}", "400"), ("POST", "fail", "{\"count\":0}", "400"),
    ("POST", "limits", "{\"calls\":-1}", "400"), ("POST", "limits", "{\"windowMs\":0}", "400"),
    ("POST", "outage", "{}", "400"),
    ("POST", "buy", "{\"product\":\"pro\",\"customer\":\"\"}", "400"),
    ("POST", "buy", "{\"product\":\" \",\"customer\":\"Ada\"}", "400"),
    ("POST", "customers", "{\"name\":\"\"}", "400"),
    ("POST", "customers", "{\"name\":\"Ada\",\"family\":\"\"}", "400"),
    ("POST", "refund", "{\"transactionId\":\"\"}", "400"),
    ("POST", "fail", "{\"endpoint\":\"\"}", "400"),
    ("POST", "request-refund", "{\"transactionId\":\"1\",\"reason\":\"\"}", "400"),
  ])
  mutating func `a control that makes no sense is refused`(
    method: String, word: String, body: String, verdict: String
  ) {
    #expect(caller.verdict(method, "/control/\(word)", body) == verdict)
  }

  @Test(arguments: [
    (
      "delivery", "{\"dropPermille\":1000}",
      "There is no member dropPermille here; is dropPerMille meant?"
    ),
    ("delivery", "{\"dropPerMille\":\"x\"}", "The value of dropPerMille makes no sense."),
    ("delivery", "{\"dropPerMille\":5000}", "The value of dropPerMille makes no sense."),
    ("delivery", "{\"resign\":1}", "The value of resign makes no sense."),
    ("travel", "{\"days\":-30}", "The store's clock moves ahead only."),
    ("travel", "{\"day\":30}", "There is no member day here; is days meant?"),
    ("travel", "{}", "The body lacks days, hours, minutes, seconds or milliseconds."),
    ("fail", "{\"endpiont\":\"history\"}", "There is no member endpiont here; is endpoint meant?"),
    ("fail", "{\"status\":99}", "The value of status makes no sense."),
    ("buy", "{\"quantitty\":2}", "There is no member quantitty here; is quantity meant?"),
    ("buy", "{\"quantity\":0,\"product\":\"pro\"}", "The value of quantity makes no sense."),
    ("buy", "{\"surprise\":true}", "There is no member surprise here."),
    ("buy", "{\"product\":\"pro\",\"customer\":\"\"}", "customer cannot be empty."),
    (
      "fail", "{\"endpoint\":\"histry\"}",
      "endpoint is one of transactionInfo, appTransactionInfo, history, historyV1, statuses, "
        + "refundHistory, refundHistoryV1, notificationHistory, requestTest, testStatus, "
        + "orderLookup, consumption, consumptionV1, extend, extendMass, massStatus, "
        + "setAppAccountToken, finish."
    ),
    ("limits", "{\"calls\":-1}", "The value of calls makes no sense."),
    ("refund", "{\"transactionId\":7}", "The value of transactionId makes no sense."),
    (
      "request-refund", "{\"transactionId\":\"7\",\"reason\":\"regret\"}",
      "reason is one of FULFILLMENT_ISSUE, LEGAL, OTHER, UNINTENDED_PURCHASE, "
        + "UNSATISFIED_WITH_PURCHASE."
    ),
  ])
  mutating func `a body with a member too many or a wrong value changes nothing`(
    word: String, body: String, words: String
  ) throws {
    let before = try caller.get("/control/customers")
    let answer = caller.call("POST", "/control/\(word)", body)
    #expect(answer.status == 400)
    #expect(try JSONValue(json: answer.body)["error"]?.string == words)
    #expect(try caller.get("/control/customers") == before)
    #expect(caller.server.outbox(.production)?.faults.droppedPerMille == 0)
  }

  @Test mutating func `what the store refuses changes nothing, and nobody joins for it`() throws {
    let bought = try post("buy", "{\"product\":\"pro\",\"customer\":\"Ada\"}")
    let coins = try post("buy", "{\"product\":\"coins\",\"customer\":\"Ada\"}")
    let themes = try post("buy", "{\"product\":\"themes\",\"customer\":\"Ada\"}")
    let ids = [bought, coins, themes].compactMap { $0["transactionId"]?.string }
    _ = try post("refund", "{\"transactionId\":\"\(ids[2])\"}")
    func one(_ place: Int) -> String { "\"transactionId\":\"\(ids[place])\"" }
    let refused: [(String, String)] = [
      ("customers", "\"name\":\"Ada\""),
      ("buy", "\"product\":\"nothing\",\"customer\":\"Ben\""),
      ("buy", "\"product\":\"basic\",\"customer\":\"Ada\""),
      ("renew", one(1)), ("recover", one(0)), ("expire", one(1)), ("fail-payment", one(1)),
      ("upgrade", one(0) + ",\"product\":\"basic\""), ("upgrade", one(0) + ",\"product\":\"x\""),
      ("change-plan", one(0) + ",\"product\":\"coins\""), ("auto-renew", one(1) + ",\"on\":true"),
      ("refund", one(2)), ("reverse", one(0)), ("decide", one(0)),
      ("share", one(0) + ",\"customer\":\"Ada\""), ("share", one(1) + ",\"customer\":\"Ben\""),
      ("share", one(2) + ",\"customer\":\"Ben\""), ("revoke-family", one(0)),
      ("request-refund", "\"transactionId\":\"9\""), ("decline", "\"transactionId\":\"9\""),
    ]
    let before = try ["customers", "transactions", "notifications", "truth"].map {
      try caller.get("/control/" + $0)
    }
    for (word, members) in refused {
      #expect(caller.verdict("POST", "/control/\(word)", "{\(members)}") == "409", "\(word)")
      let after = try ["customers", "transactions", "notifications", "truth"].map {
        try caller.get("/control/" + $0)
      }
      #expect(after == before, "\(word) \(members)")
    }
    // The same chance as if nothing had been asked for.
    var other = ControlTests()
    for (product, customer) in [("pro", "Ada"), ("coins", "Ada"), ("themes", "Ada")] {
      _ = try other.post("buy", "{\"product\":\"\(product)\",\"customer\":\"\(customer)\"}")
    }
    _ = try other.post("refund", "{\"transactionId\":\"\(ids[2])\"}")
    let next = "{\"product\":\"coins\",\"customer\":\"Ben\"}"
    #expect(try post("buy", next) == other.post("buy", next))
  }

  @Test
  mutating func `a plan changes at once to a better product, and with the next payment to another`()
    throws
  {
    let bought = try post("buy", "{\"product\":\"pro\",\"customer\":\"Ada\"}")
    let id = bought["transactionId"]?.string ?? ""
    let lower = try post("change-plan", "{\"transactionId\":\"\(id)\",\"product\":\"basic\"}")
    #expect(lower["transactionId"]?.string == id)
    #expect(try title(1) == "DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
    _ = try post("renew", "{\"transactionId\":\"\(id)\"}")
    let higher = try post("change-plan", "{\"transactionId\":\"\(id)\",\"product\":\"pro\"}")
    #expect(higher["transactionId"]?.string != id)
    #expect(try title(3) == "DID_CHANGE_RENEWAL_PREF/UPGRADE")
  }

  @Test mutating func `who joins without a name gets one of their own`() throws {
    let names = try (0..<3).map { _ in try post("customers")["name"]?.string }
    #expect(names == ["Somebody 1", "Somebody 2", "Somebody 3"])
  }

  @Test mutating func `what was told to go wrong is told, and mended`() throws {
    _ = try post("fail", "{\"status\":503,\"count\":7}")
    _ = try post("fail", "{\"status\":502,\"endpoint\":\"history\"}")
    _ = try post("delivery", "{\"dropPerMille\":3}")
    _ = try post("outage", "{\"down\":true}")
    let told = try caller.get("/control")
    #expect(told["pendingFaults"]?.integer == 8)
    #expect(told["outage"] == .bool(true))
    #expect(told["delivery"]?["dropPerMille"]?.integer == 3)
    _ = try post("mend")
    #expect(try caller.get("/control")["pendingFaults"]?.integer == 0)
    #expect(caller.verdict("GET", "/inApps/v1/transactions/1") == "404 4040010")
  }

  @Test mutating func `looking at what is posted to is told apart from what is not there`() {
    #expect(caller.verdict("GET", "/control/buy") == "405")
    #expect(caller.verdict("DELETE", "/control/buy") == "405")
    #expect(caller.verdict("GET", "/control/bye") == "404")
    #expect(caller.verdict("POST", "/control/truth") == "404")
  }
}
