import AppStoreModel
import AppStoreServerAPI
import AppStoreSimulator
import AppStoreVerification
import Synchronization
import Testing

@testable import LedgerServer

/// A set-up is checked against an App Store that answers as it is told.
struct DoctorTests {
  private static let start = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  /// Sends one test notification and tells its fate after some questions.
  private final class Store: TestedStore {
    let bundleId = "com.example.app"
    let skew: TimeSpan?
    private let failure: AppStoreServerError?
    private let sent: SentNotification
    private let early: Mutex<Int>

    init(
      _ payload: String, attempts: [SendAttemptResult] = [.success], skew: TimeSpan? = .zero,
      failing failure: AppStoreServerError? = nil, early: Int = 0
    ) {
      sent = SentNotification(
        UnverifiedJWS(payload), attempts.map { SendAttempt(DoctorTests.start, $0) })
      self.skew = skew
      self.failure = failure
      self.early = Mutex(early)
    }

    func requestTest(
      in environment: ServerEnvironment
    ) async throws(AppStoreServerError) -> String {
      if let failure { throw failure }
      return "token"
    }

    func fate(
      of token: String, in environment: ServerEnvironment
    ) async throws(AppStoreServerError) -> SentNotification {
      let isEarly = early.withLock { early in
        early -= 1
        return early >= 0
      }
      guard !isEarly else {
        throw .refused(AppleRefusal(status: 404, code: .testNotificationNotFound))
      }
      return sent
    }
  }

  private final class Endpoint: TestedEndpoint {
    let arrived: Bool
    init(arrived: Bool) { self.arrived = arrived }
    func arrival(ofNotification uuid: String) -> Timestamp? { arrived ? DoctorTests.start : nil }
  }

  private let authority = CertificateAuthority(seed: 5)
  private let app = SimulatedApp(environment: .sandbox)

  private func signedTest() throws -> String {
    var store = SimulatedAppStore(app: app, seed: 5)
    store.sendTest(at: Self.start)
    let notification = try #require(store.notifications.last)
    return NotificationSigner(JWSSigner(authority)).sign(notification)
  }

  private func findings(
    _ store: Store, arrived: Bool = true,
    _ environments: Set<AppStoreEnvironment> = [.sandbox],
    trusting authority: CertificateAuthority? = nil
  ) async -> [Finding] {
    var configuration = Configuration(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)], environments: environments)
    configuration.root = .certificate((authority ?? self.authority).root.der)
    let doctor = Doctor(
      configuration, endpoint: Endpoint(arrived: arrived), patience: .seconds(10),
      clock: ServerClock { Self.start }, pause: { _ in })
    return await doctor.examine(store)
  }

  private func levels(_ findings: [Finding]) -> [String] {
    findings.map { "\($0.check.rawValue) \($0.level.rawValue)" }
  }

  @Test func `a set-up that works is well`() async throws {
    let findings = await findings(Store(try signedTest(), early: 2))
    #expect(levels(findings) == ["authorization ok", "clock ok", "testNotification ok"])
    #expect(findings.allSatisfy { $0.subject == "com.example.app Sandbox" })
  }

  @Test func `each configured environment is looked at`() async throws {
    let findings = await findings(Store(try signedTest()), [.production, .sandbox])
    #expect(Set(findings.compactMap(\.subject)).count == 2)
  }

  @Test func `another root than the one that signs is found`() async throws {
    let store = Store(try signedTest())
    let findings = await findings(store, trusting: CertificateAuthority(seed: 6))
    #expect(levels(findings).last == "testNotification failed")
    #expect(findings.last?.text.contains("chain.path") == true)
    #expect(findings.last?.advice != nil)
  }

  @Test func `what arrives elsewhere is found once the patience is over`() async throws {
    let findings = await findings(Store(try signedTest()), arrived: false)
    #expect(findings.last?.text.contains("not to this server") == true)
  }

  @Test func `what is never sent is a warning`() async throws {
    let findings = await findings(Store(try signedTest(), early: 1_000), arrived: false)
    #expect(levels(findings).last == "testNotification warning")
    #expect(findings.last?.text == "Apple did not send it within 10 s.")
  }

  @Test(
    arguments: [
      (
        .unauthorized(Unauthorized(.production, .keyRefused)),
        ["authorization failed", "clock ok", "testNotification skipped"]
      ),
      (
        .unauthorized(Unauthorized(.production, .notReleased)),
        ["authorization warning", "clock ok", "testNotification skipped"]
      ),
      (
        .refused(AppleRefusal(status: 404, code: .serverNotificationUrlNotFound)),
        ["authorization ok", "clock ok", "testNotification failed"]
      ),
      (
        .unreachable(.noConnection("could not resolve host")),
        ["address failed", "clock ok", "testNotification skipped"]
      ),
      (.unexpectedStatus(502), ["authorization failed", "clock ok", "testNotification skipped"]),
    ] as [(AppStoreServerError, [String])])
  func `a refusal says what is wrong`(failure: AppStoreServerError, expected: [String]) async {
    let findings = await findings(Store("", failing: failure))
    #expect(levels(findings) == expected)
    let wrong = findings.first { $0.level == .failed || $0.level == .warning }
    #expect(wrong?.advice?.isEmpty == false)
  }

  @Test(
    arguments: [
      (nil, .skipped), (0, .ok), (-4_999, .ok), (34_000, .warning), (-299_000, .warning),
      (300_000, .failed), (-3_600_000, .failed),
    ] as [(Int64?, Finding.Level)])
  func `a clock that is off is told`(milliseconds: Int64?, level: Finding.Level) {
    let skew = milliseconds.map { TimeSpan(milliseconds: $0) }
    let finding = Finding.clock(skew, about: "app")
    #expect(finding.level == level)
    #expect((finding.advice != nil) == (level == .warning || level == .failed))
  }

  @Test func `the report for programs holds every check`() throws {
    var diagnosis = Diagnosis()
    diagnosis.add(Finding(.root, .ok, "Apple's root is trusted."))
    #expect(diagnosis.isHealthy)
    diagnosis.add(Finding(.key, .skipped, about: "app", "No key."))
    #expect(diagnosis.isHealthy)
    diagnosis.add(Finding(.clock, .warning, about: "app", "Late.", advice: "Set it."))
    #expect(!diagnosis.isHealthy)
    let json = try JSONValue(json: diagnosis.json)
    #expect(json["healthy"] == .bool(false))
    #expect(json["checks"]?.array?.count == 3)
    #expect(
      json["checks"]?.array?.last
        == .object([
          .init("check", .string("clock")), .init("about", .string("app")),
          .init("level", .string("warning")), .init("finding", .string("Late.")),
          .init("advice", .string("Set it.")),
        ]))
  }
}
