import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Testing

@testable import AppStoreServerAPI

/// The client and the simulated App Store, over HTTP.
struct SimulatedAppStoreTests {
  private static let patient = CallOptions(.production, patience: .hours(90))

  private static func settings(perHour: Int64) -> ClientSettings {
    var settings = ClientSettings()
    settings.limits.set(HourlyLimit(callsPerHour: perHour), for: .transactionInfo)
    return settings
  }

  /// Four workers ask for forty transactions each.
  private static func ask(_ side: SimulatedSide) async -> Int {
    await withTaskGroup { group in
      for worker in 0..<4 {
        group.addTask {
          var answers = 0
          for number in 0..<40 {
            let id = side.transactions[(worker * 11 + number) % side.transactions.count]
            let answer = try? await side.client.transactionInfo(id, patient)
            answers += answer == nil ? 0 : 1
          }
          return answers
        }
      }
      return await group.reduce(0, +)
    }
  }

  @Test func `four workers together stay inside the limits that are enforced`() async throws {
    let side = try SimulatedSide(Self.settings(perHour: 600)) { server in
      server.limits.stated[.transactionInfo] = 60
      server.limits.window = .minutes(6)
    }
    defer { side.listener.stop() }
    #expect(await Self.ask(side) == 160)
    #expect(Self.pauses(side) == 0)
    #expect(side.clock.now.seconds(after: TurningClock.start) > 15 * 60)
  }

  @Test func `a limit that is lower than known is kept to, and every answer still comes`()
    async throws
  {
    let side = try SimulatedSide(Self.settings(perHour: 6_000)) { server in
      server.limits.stated[.transactionInfo] = 20
      server.limits.window = .minutes(1)
    }
    defer { side.listener.stop() }
    #expect(await Self.ask(side) == 160)
    // How many workers meet the end of a full minute before it is known depends on the machine.
    #expect((7...160).contains(Self.pauses(side)))
    #expect(!side.events.contains { if case .failed = $0.kind { true } else { false } })
  }

  private static func pauses(_ side: SimulatedSide) -> Int {
    side.events.count { if case .paused = $0.kind { true } else { false } }
  }

  @Test(arguments: [-34, 34, -1_200, 1_200, 86_400])
  func `a clock that is off loses nothing`(seconds: Int64) async throws {
    let side = try SimulatedSide { $0.switches.clockSkew = .seconds(seconds) }
    defer { side.listener.stop() }
    #expect(try await side.walk().ids.sorted() == side.transactions.sorted())
    // Tokens begin a minute early and last long enough for less than that.
    let isFar = abs(seconds) > 60
    #expect(side.refusedTokens.count == (isFar ? 1 : 0))
    #expect(abs(side.client.clockSkewMilliseconds - (isFar ? seconds * 1_000 : 0)) < 2_000)
    #expect(side.events.map(\.description).contains { $0.contains("our clock is") } == isFar)
  }

  @Test func `every kind of trouble in one walk loses nothing and doubles nothing`() async throws {
    let html = Array("<html><body>Bad Gateway</body></html>".utf8)
    var closed = APIAnswer(status: 200)
    closed.conduct = .close
    let side = try SimulatedSide { server in
      server.switches.pageSize = 4
      for answer in [
        APIAnswer(status: 429), APIAnswer(status: 502, type: "text/html", body: html),
        APIAnswer(status: 200, type: "text/html", body: html), APIAnswer(status: 401, body: html),
        closed, APIAnswer(status: 500), APIAnswer(status: 503, body: Array("{".utf8)),
      ] { server.faults.append(APIFault(answer, at: .history, count: 1)) }
    }
    defer { side.listener.stop() }
    #expect(try await side.walk().ids == side.transactions)
    let log = side.events.map(\.description)
    for words in [
      "paused until", "HTTP 502", "cannot be read", "token refused", "HTTP 503",
    ] {
      #expect(log.contains { $0.contains(words) }, "\(words)")
    }
  }

  @Test func `trouble that outlasts the patience says so, and the walk goes on where it was`()
    async throws
  {
    let side = try SimulatedSide { server in
      server.faults = [APIFault(APIAnswer(status: 502), at: .history, count: 5)]
    }
    defer { side.listener.stop() }
    await #expect(throws: AppStoreServerError.unexpectedStatus(502)) { try await side.walk() }
    #expect(try await side.walk().ids == side.transactions)
  }

  @Test func `a token that ends in the middle of a walk is renewed before it is refused`()
    async throws
  {
    let side = try SimulatedSide { $0.switches.pageSize = 4 }
    defer { side.listener.stop() }
    let walk = try await side.walk { side.clock.turn(.minutes(9)) }
    #expect(walk.ids == side.transactions)
    #expect(side.refusedTokens.isEmpty)
  }

  @Test func `a kept revision brings the refund of an old purchase, and nothing else`()
    async throws
  {
    let side = try SimulatedSide()
    defer { side.listener.stop() }
    let mark = try await side.walk().revision
    #expect(try await side.walk(after: mark).ids == [])
    let old = side.transactions[3]
    side.clock.turn(.minutes(5))
    try side.change { server, now in
      try server.change(.production, at: now) { (store, moment) throws(StoreRefusal) in
        try store.refund(old, at: moment)
      }
    }
    #expect(try await side.walk(after: mark).ids == [old])
    let refunds = try await side.client.refundHistory(old, after: nil, Self.patient)
    #expect(
      try refunds.signedTransactions.map { try SimulatedSide.payload($0)["transactionId"]?.string }
        == [old])
  }

  @Test func `notification history is whole, page by page`() async throws {
    let side = try SimulatedSide { $0.switches.pageSize = 7 }
    defer { side.listener.stop() }
    let now = side.clock.now
    let query = NotificationQuery(from: now.subtracting(.days(400)), to: now)
      .cut(toReachIn: .production, now: now)
    #expect(query.isCut)
    var mark: String?
    var found: Set<String> = []
    repeat {
      let page = try await side.client.notificationHistory(query.query, after: mark, Self.patient)
      for item in page.notifications {
        #expect(item.sendAttempts.map(\.result) == [.success])
        let payload = try SimulatedSide.payload(item.signedPayload)
        let isNew = found.insert(payload["notificationUUID"]?.string ?? "").inserted
        #expect(isNew)
      }
      mark = try page.next(after: mark)
    } while mark != nil
    #expect(found.count >= side.transactions.count)
  }

  @Test func `an id is looked for in production and then in the sandbox`() async throws {
    let side = try SimulatedSide(coins: 1)
    defer { side.listener.stop() }
    #expect(
      try await side.client.locateTransaction(side.transactions[1]).environment == .production)
    await #expect(throws: AppStoreServerError.unknownTransaction) {
      try await side.client.locateTransaction("1")
    }
    side.change { server, _ in server.switches.isReleased = false }
    await #expect(throws: AppStoreServerError.unauthorized(Unauthorized(.production, .notReleased)))
    {
      try await side.client.transactionInfo(side.transactions[1], Self.patient)
    }
  }

  @Test func `a key of another issuer is refused as what it is`() async throws {
    let side = try SimulatedSide(coins: 1)
    defer { side.listener.stop() }
    var settings = ClientSettings()
    settings.hosts = try AppStoreHosts(
      production: side.listener.url, sandbox: side.listener.url + "/sandbox")
    let stranger = try AppStoreServerClient(
      .sample(), settings, CurlTransport(settings.transport), side.clock.clock,
      SystemRandomNumberGenerator())
    await #expect(throws: AppStoreServerError.unauthorized(Unauthorized(.production, .keyRefused)))
    {
      try await stranger.transactionInfo(side.transactions[1], Self.patient)
    }
    #expect(side.refusedTokens.allSatisfy { $0 == .unknownKey })
  }

  @Test func `everything else is asked and answered without a special case`() async throws {
    let side = try SimulatedSide(coins: 1)
    defer { side.listener.stop() }
    let client = side.client
    let chain = side.transactions[0]
    let statuses = try await client.subscriptionStatuses(chain, only: [], Self.patient)
    #expect(statuses.groups.flatMap(\.lastTransactions).map(\.status) == [.active])
    #expect(statuses.environment == .production)
    _ = try await client.appTransactionInfo(chain, Self.patient)
    let token = "11111111-2222-3333-4444-555555555555"
    try await client.setAppAccountToken(token, for: chain, Self.patient)
    try await client.finishTransaction(side.transactions[1], Self.patient)
    let terms = try ExtendRenewal(days: 7, reason: .other, requestIdentifier: "r-1")
    #expect(try await client.extendRenewal(of: chain, terms, Self.patient).success)
    let mass = try MassExtendRenewals(productId: SimulatedProduct.pro.id, terms)
    let identifier = try await client.extendRenewals(mass, Self.patient)
    let status = try await client.massExtensionStatus(
      productId: SimulatedProduct.pro.id, requestIdentifier: identifier, Self.patient)
    #expect(!status.isComplete)
    #expect(try await client.lookUpOrder("MQ0000", Self.patient).isValid == false)
    await #expect(throws: AppStoreServerError.badRequest(.productionOnly)) {
      try await client.lookUpOrder("MQ0000", CallOptions(.sandbox))
    }
  }
}
