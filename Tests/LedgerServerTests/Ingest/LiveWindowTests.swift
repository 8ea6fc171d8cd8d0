import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import Foundation
import HTTPListener
import LedgerStorage
import SQLiteStorage
import Synchronization
import Testing

@testable import LedgerServer

/// How old, and how far ahead of the clock, a notification may be to act at once.
struct LiveWindowTests {
  private static let signed = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  /// The clock beside the signed date, in milliseconds, and what becomes of it.
  static let rows: [(clock: Int64, outcome: String)] = [
    (0, "stored"),
    (2_592_000_000, "stored"),
    (2_592_000_001, "held"),
    (-300_000, "stored"),
    (-300_001, "held"),
  ]

  @Test(arguments: rows.indices)
  func `the window is 30 days and five minutes`(row: Int) throws {
    let row = Self.rows[row]
    let now = Self.signed.adding(TimeSpan(milliseconds: row.clock))
    let objection = LiveWindow.standard.objection(to: Self.signed, at: now)
    #expect((objection == nil) == (row.outcome == "stored"))
  }

  @Test(arguments: rows.indices)
  func `what is outside the window is answered 200 and changes nothing`(row: Int) throws {
    let row = Self.rows[row]
    let intake = try WindowedIntake(
      now: Self.signed.adding(TimeSpan(milliseconds: row.clock)), window: .standard)
    let customer = intake.key("u")
    #expect(try intake.post(bought: Self.signed) == 200)
    #expect(try intake.post(bought: Self.signed) == 200)
    #expect(intake.metrics.value("notifications", row.outcome) == 1)
    #expect(intake.metrics.value("notifications", "repeated") == 1)
    let reader = try intake.ledger.makeReader()
    let isHeld = row.outcome == "held"
    #expect(try reader.counts().events == (isHeld ? 0 : 1))
    let timeline = try reader.timeline(of: customer, limit: 10)
    let effects = timeline.compactMap { entry in
      if case .sighting(let sighting) = entry.content { sighting.effect } else { nil }
    }
    #expect(effects == [isHeld ? .held : .applied])
  }

  @Test func `without a window the age does not matter`() throws {
    let intake = try WindowedIntake(now: Self.signed.adding(.days(900)), window: nil)
    #expect(try intake.post(bought: Self.signed) == 200)
    #expect(intake.metrics.value("notifications", "stored") == 1)
  }

  private static let folder = ProcessInfo.processInfo.environment["CLAWBACK_REAL_SIGNED"]
  private static let notice: Comment = "CLAWBACK_REAL_SIGNED names no folder of signed texts"
  /// When Apple signed the notification of the next test.
  private static let appleSigned = Timestamp(millisecondsSince1970: 1_759_302_518_835)

  @Test(.enabled(if: folder != nil, notice), arguments: rows.indices)
  func `a served ledger holds what Apple signed outside the window`(row: Int) throws {
    let row = Self.rows[row]
    let text = try String(contentsOfFile: (Self.folder ?? "") + "/038.txt", encoding: .utf8)
    let bundleId = "com.loki-project.loki-messenger"
    let served = try ServedLedger { configuration in
      configuration.root = .apple
      configuration.apps = [.init(bundleId: bundleId, appAppleId: 1_470_168_868)]
    }
    defer { served.stop() }
    served.moment.set(Self.appleSigned.adding(TimeSpan(milliseconds: row.clock)))
    #expect(try served.post(text.trimmingCharacters(in: .whitespacesAndNewlines)) == 200)
    let metrics = try served.call("GET /metrics", .read)
    #expect(metrics.body.contains("clawback_notifications_total{result=\"\(row.outcome)\"} 1"))
  }
}

/// The way in, with a window although the root is a simulated one.
private struct WindowedIntake {
  let ledger: Ledger
  let metrics = Metrics()
  private let intake: Intake
  private let authority = CertificateAuthority(seed: 1)
  private let realm: Realm

  init(now: Timestamp, window: LiveWindow?) throws {
    let root = try TrustedRoot(certificate: authority.root.der)
    realm = root.realm
    ledger = Ledger(
      store: try SQLiteStore(.memory, realm: root.realm, now: now), rules: .standard)
    intake = Intake(
      verifier: try SignedDataVerifier(roots: [root], allowed: .any), ledger: ledger,
      window: window, clock: ServerClock { now }, metrics: metrics,
      log: Log(descriptor: -1), limits: Limits())
  }

  func key(_ name: String) -> CustomerKey {
    let app = SimulatedApp()
    var store = SimulatedAppStore(seed: 1)
    let token = store.enroll(name).appAccountToken ?? ""
    let scope = Scope(realm: realm, bundleId: app.bundleId, environment: app.environment)
    return CustomerKey(scope: scope, id: CustomerID(token) ?? .anonymous(appTransactionId: ""))
  }

  func post(bought moment: Timestamp) throws -> Int {
    var store = SimulatedAppStore(seed: 1)
    try store.buy(SimulatedProduct.themes.id, by: store.enroll("u"), at: moment)
    let signer = NotificationSigner(JWSSigner(authority))
    let jws = try #require(store.notifications.map(signer.sign).first)
    let status = Mutex(0)
    let isDone = Semaphore()
    let request = HTTPRequest(
      id: "r", method: "POST", target: try #require(RequestTarget("/apple/notifications")),
      peer: "192.0.2.1")
    intake.take(Array(jws.utf8), in: request) { result in
      status.withLock { status in
        switch result {
        case .success(let response): status = response.status
        case .failure(let problem): status = problem.code.status
        }
      }
      isDone.signal()
    }
    isDone.wait()
    return status.withLock { $0 }
  }
}
