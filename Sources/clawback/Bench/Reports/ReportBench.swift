import AppStoreModel
import AppStoreSimulator
import Glibc

/// A server whose ledger is filled, and whose reports are timed.
final class ReportBench {
  /// How many customers one simulated store has: it looks through all of them now and then.
  private static let storeSize = 400
  private static let posters = 4
  /// Of how many purchases one is refunded.
  private static let onePart = 10
  private static let reports = [
    ("refunds by month", "/v1/reports/refunds?by=month&limit=500"),
    ("refunds by day", "/v1/reports/refunds?by=day&limit=500"),
    ("late-spend", "/v1/reports/late-spend?limit=500"), ("signals", "/v1/reports/signals"),
    ("clusters", "/v1/reports/clusters"), ("refund list", "/v1/refunds?limit=500"),
  ]

  private let signer: NotificationSigner
  private let server: DemoServer
  private let connection: HTTPConnection
  private var seed: UInt64 = 0
  private var refunds = 0
  private var spends = 0

  init() throws {
    let authority = CertificateAuthority(seed: 7)
    signer = NotificationSigner(JWSSigner(authority))
    server = try DemoServer(trusting: authority.root.der, port: 0)
    connection = try HTTPConnection(timeoutMilliseconds: 600_000)
  }

  func stop() { server.stop() }

  func measure(purchases: Int) throws -> ReportBenchResult {
    var made = 0
    while made < purchases {
      let count = min(Self.storeSize, purchases - made)
      try fill(count, purchases: purchases, made: made)
      made += count
    }
    let reports = try Self.reports.map { try time($0.0, $0.1) }
    return ReportBenchResult(
      purchases: purchases, refunds: refunds, spends: spends, reports: reports,
      peakMemory: Self.peakMemory)
  }

  /// Has customers buy and some get their money back; the purchases are spread over half a year.
  private func fill(_ count: Int, purchases: Int, made: Int) throws {
    seed += 1
    let age = TimeSpan.hours(4_380 - Int64(4_300 * made / max(1, purchases)))
    var stage = Stage(
      SimulatedAppStore(app: SimulatedApp(), seed: seed), at: WallClock.now.subtracting(age))
    var refunded: [String] = []
    for number in 0..<count {
      let customer = stage.store.enroll("\(seed)-\(number)")
      let bought = try stage.buy(.pro, customer)
      guard number % Self.onePart == 0 else { continue }
      stage.wait(.minutes(1))
      try stage.refund(bought)
      if let token = customer.appAccountToken { refunded.append(token.lowercased()) }
    }
    let posts = BackgroundPosts(
      stage.store.notifications.map(signer.sign), to: server.base + "/apple/notifications",
      rate: .infinity, posters: Self.posters)
    posts.start()
    let (taken, _) = posts.finish()
    guard taken == stage.store.notifications.count else {
      throw CommandFailure("The server refused a notification.")
    }
    refunds += refunded.count
    try spend(on: refunded)
  }

  private func spend(on customers: [String]) throws {
    let items = customers.flatMap { customer in
      [3, 7].map { amount in
        """
        {"customer":"\(customer)","entitlement":"\(DemoStory.entitlement)",\
        "amount":{"milliunits":\(amount),"currency":"USD"}}
        """
      }
    }
    let answer = try connection.post(
      "[" + items.joined(separator: ",") + "]", to: server.base + "/v1/spend",
      headers: authorization)
    guard answer.status == 200 else { throw CommandFailure("The server refused spend.") }
    spends += items.count
  }

  /// Reads a report to its end.
  private func time(_ name: String, _ path: String) throws -> ReportBenchResult.Report {
    let begun = WallClock.steadySeconds
    var firstPage = 0.0
    var pages = 0
    var after: String?
    repeat {
      let place = after.map { "&after=\($0)" } ?? ""
      let answer = try connection.get(server.base + path + place, headers: authorization)
      guard answer.status == 200 else { throw CommandFailure("The server refused \(path).") }
      pages += 1
      if pages == 1 { firstPage = WallClock.steadySeconds - begun }
      after = try Self.next(answer.body)
    } while after != nil
    return ReportBenchResult.Report(
      name: name, firstPage: firstPage, whole: WallClock.steadySeconds - begun, pages: pages)
  }

  private static func next(_ body: [UInt8]) throws -> String? {
    let next = try JSONValue(json: body)["next"]
    return next?.string ?? next?.integer.map { String($0) }
  }

  private var authorization: [String] { ["Authorization: Bearer \(server.key)"] }

  private static var peakMemory: Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return Int(usage.ru_maxrss) / 1_024
  }
}
