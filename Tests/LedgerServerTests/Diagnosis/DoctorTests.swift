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

  private func signedTest(at moment: Timestamp = start) throws -> String {
    var store = SimulatedAppStore(app: app, seed: 5)
    store.sendTest(at: moment)
    let notification = try #require(store.notifications.last)
    return NotificationSigner(JWSSigner(authority)).sign(notification)
  }

  private func findings(
    _ store: Store, arrived: Bool = true,
    _ environments: Set<AppStoreEnvironment> = [.sandbox],
    trusting authority: CertificateAuthority? = nil, storeAt base: String? = nil
  ) async -> [Finding] {
    var configuration = Configuration(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)], environments: environments)
    configuration.root = .certificate((authority ?? self.authority).root.der)
    configuration.appStoreServerAPI = .init(productionURL: base, sandboxURL: base)
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

  /// Errors of a simulated store, and what is said: never a word of Apple's network.
  @Test(
    arguments: [
      (
        .unreachable(.noConnection("Failed to connect")), .address,
        "Nobody answers at http://127.0.0.1:9000: no connection: Failed to connect."
      ),
      (
        .unreachable(.timedOut), .address,
        "Nobody answers at http://127.0.0.1:9000: no answer in time."
      ),
      (
        .unexpectedStatus(404), .address,
        "What answers at http://127.0.0.1:9000 is no App Store: HTTP 404 without an error code of "
          + "Apple's."
      ),
      (
        .unreadableAnswer("testNotificationToken"), .address,
        "What answers at http://127.0.0.1:9000 is no App Store: the answer cannot be read: "
          + "testNotificationToken."
      ),
      (
        .refused(AppleRefusal(status: 404, code: .serverNotificationUrlNotFound)),
        .testNotification,
        "The App Store at http://127.0.0.1:9000 has no URL for this environment's notifications."
      ),
    ] as [(AppStoreServerError, Finding.Check, String)])
  func `a configured address is named where it is at fault`(
    failure: AppStoreServerError, check: Finding.Check, text: String
  ) async throws {
    let findings = await findings(Store("", failing: failure), storeAt: "http://127.0.0.1:9000")
    let wrong = try #require(findings.first { $0.level == .failed })
    #expect(wrong.check == check)
    #expect(wrong.text == text)
    let advice = try #require(wrong.advice)
    #expect(!advice.contains("proxy") && !advice.contains("and Apple"))
  }

  /// Minutes by which a test notification is dated ahead, and the words of the finding.
  @Test(
    arguments: [
      (0, nil), (4, nil), (5, "5 minutes from now"), (2_879, "2879 minutes from now"),
      (43_200, "30 days from now"), (-43_200, nil),
    ] as [(Int64, String?)])
  func `a store whose clock travelled is found by what it signs`(
    minutes: Int64, words: String?
  ) async throws {
    let findings = await findings(Store(try signedTest(at: Self.start.adding(.minutes(minutes)))))
    let clock = try #require(findings.first { $0.check == .clock })
    #expect(clock.level == (words == nil ? .ok : .failed))
    #expect(words.map(clock.text.contains) ?? true)
    #expect((clock.advice == nil) == (words == nil))
  }

  @Test func `a clock of ours that is slow is told as such, not as a journey of the store`() {
    let finding = Finding.clock(.seconds(3_600), lead: .seconds(3_600), about: "app")
    #expect(finding.text == "This machine's clock is 3600 s behind the App Store's.")
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
