import AppStoreModel
import AppStoreServerAPI
import AppStoreSimulator
import EntitlementLedger
import LedgerServer
import Testing

/// Several workers of one reconciler against an App Store that limits, refuses and breaks off.
struct WorkersTests {
  /// Each customer buys a subscription and a theme; of every fifth the theme is refunded, and of every
  /// tenth that is undone.
  private static func story(_ customers: Int, _ stage: inout Stage) throws {
    for number in 0..<customers {
      let customer = stage.store.enroll("C\(number)", withToken: number % 2 == 0)
      _ = try stage.buy(.pro, customer)
      let themes = try stage.buy(.themes, customer)
      stage.wait(.minutes(10))
      if number % 5 == 0 { try stage.refund(themes) }
      stage.wait(.minutes(20))
      if number % 10 == 0 { try stage.store.reverseRefund(of: themes, at: stage.now) }
    }
    stage.wait(.hours(2))
  }

  /// Of every third notification nothing was heard.
  private static func isLost(_ notification: UnsignedNotification) -> Bool {
    (notification.payload.notificationUUID?.utf8.reduce(0) { $0 + Int($1) } ?? 0) % 3 == 0
  }

  private static let limited: [(endpoint: Endpoint, simulated: APIEndpoint, perHour: Int)] = [
    (.notificationHistory, .notificationHistory, 100), (.transactionInfo, .transactionInfo, 90),
    (.subscriptionStatuses, .statuses, 60), (.refundHistory, .refundHistory, 40),
  ]

  @Test func `four workers together stay inside the limits that Apple counts by the hour`()
    async throws
  {
    var limits = RateLimits()
    for row in Self.limited {
      limits.set(HourlyLimit(callsPerHour: Int64(row.perHour)), for: row.endpoint)
    }
    let side = try WorkersSide(limits: limits) { stage in
      try Self.story(60, &stage)
    } _: { server in
      for row in Self.limited { server.limits.stated[row.simulated] = row.perHour }
    }
    try side.deliver(losing: Self.isLost)
    let begun = side.clock.now
    let progress = try await side.reconcile()
    #expect(progress.isFinished)
    #expect(side.journal.filter { $0.status == 429 } == [])
    for row in Self.limited {
      let hours = Dictionary(grouping: side.journal.filter { $0.endpoint == row.simulated }) {
        $0.date.millisecondsSince1970 / 3_600_000
      }
      #expect(hours.values.allSatisfy { $0.count <= row.perHour }, "\(row.endpoint)")
    }
    // Sixty refund histories, forty an hour.
    let passed = side.clock.now.millisecondsSince1970 - begun.millisecondsSince1970
    #expect(passed > 3_600_000)
    #expect(try side.disagreements() == [])
    #expect(try side.gaps().count == side.store.notifications.count { Self.isLost($0) })
  }

  @Test func `a limit that is lower than ours is met, waited for, and costs nothing`() async throws
  {
    let side = try WorkersSide { stage in
      try Self.story(40, &stage)
    } _: { server in
      for row in Self.limited { server.limits.stated[row.simulated] = row.perHour / 4 }
    }
    try side.deliver(losing: Self.isLost)
    try await side.reconcile()
    let refused = side.journal.filter { $0.status == 429 }
    #expect(!refused.isEmpty)
    // Those that were under way when the limit was met, once an hour.
    let hours = Set(side.journal.map { $0.date.millisecondsSince1970 / 3_600_000 }).count
    #expect(refused.count <= hours * 4 * Self.limited.count)
    #expect(try side.disagreements() == [])
    #expect(try side.logged().contains("paused until"))
  }

  /// What Apple answers in its bad hours, each at another call.
  private static func makeTrouble(_ server: inout SimulatedServer, at now: Timestamp) {
    let html = Array("<html><body>Bad Gateway</body></html>".utf8)
    var slow = APIAnswer(status: 429)
    // Longer than a page's token lives.
    let later = now.adding(.minutes(50)).millisecondsSince1970
    slow.headers.append(("Retry-After", String(later)))
    var closed = APIAnswer(status: 200)
    closed.conduct = .close
    server.switches.pageSize = 7
    server.switches.tokenLife = .minutes(30)
    server.faults = [APIFault(slow, at: .notificationHistory, after: 3)]
    for endpoint in [APIEndpoint.notificationHistory, .refundHistory, .statuses, .transactionInfo] {
      server.faults += [
        APIFault(APIAnswer(status: 429), at: endpoint, after: 1),
        APIFault(APIAnswer(status: 502, type: "text/html", body: html), at: endpoint, count: 2),
        APIFault(APIAnswer(status: 200, type: "text/html", body: html), at: endpoint, after: 2),
        APIFault(APIAnswer(status: 401, type: "text/plain", body: html), at: endpoint, after: 1),
        APIFault(closed, at: endpoint, after: 1),
        APIFault(APIAnswer(status: 401), at: endpoint, count: 5, after: 2),
        APIFault(APIAnswer(status: 503, body: Array("{".utf8)), at: endpoint, count: 9, after: 1),
      ]
    }
  }

  @Test(arguments: [-34, 34] as [Int64])
  func `in every kind of trouble nothing is revoked, nothing is lost, and the log says it`(
    seconds: Int64
  ) async throws {
    let side = try WorkersSide { stage in
      try Self.story(40, &stage)
    } _: { server in
      server.switches.clockSkew = .seconds(seconds)
    }
    side.listener.withServer { server, now in Self.makeTrouble(&server, at: now) }
    try side.deliver(losing: Self.isLost)
    let revoked = try side.news(.revoked)
    for _ in 0..<8 where !side.listener.withServer({ server, _ in server.faults.isEmpty }) {
      try await side.reconcile()
    }
    try await side.reconcile()
    #expect(try side.disagreements() == [])
    #expect(try side.gaps().count == side.store.notifications.count { Self.isLost($0) })
    // Only what the App Store itself took back: never because of an error.
    let refunds = side.store.notifications.count { $0.title == "REFUND" }
    #expect(try side.news(.revoked) <= refunds)
    #expect(try side.news(.revoked) >= revoked)
    #expect(try side.news(.expired) == 0)
    #expect(try side.news(.uncertain) == 0)
    let log = try side.logged()
    for words in [
      "paused until", "HTTP 502", "cannot be read", "token refused, fresh one made", "HTTP 503",
      "token of the next page has expired", "appleNotAsked", "does not accept the key",
      "our clock is off by 3",
    ] {
      #expect(log.contains(words), "\(words)")
    }
  }
}
