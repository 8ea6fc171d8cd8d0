import AppStoreModel
import AppStoreVerification
import Testing

struct AllowedOriginsTests {
  private static let app = ExpectedApp(bundleID: "com.example.app", appAppleID: 1_234_567_890)
  private static let second = ExpectedApp(bundleID: "com.example.second", appAppleID: 2)

  @Test(arguments: ["Xcode", "LocalTesting", "production", ""])
  func `no configuration can allow what nobody signs`(word: String) {
    #expect(throws: VerificationConfigurationError.unprovableEnvironment(word)) {
      try ServerEnvironment(configured: word)
    }
  }

  @Test func `Production and Sandbox can be configured`() throws {
    #expect(try ServerEnvironment(configured: "Production") == .production)
    #expect(try ServerEnvironment(configured: "Sandbox").model == .sandbox)
    #expect(ServerEnvironment(AppStoreEnvironment.xcode) == nil)
  }

  @Test(
    arguments: [
      ([], [.sandbox], .noApps),
      ([app], [], .noEnvironments),
      ([ExpectedApp(bundleID: "")], [.sandbox], .emptyBundleID),
      ([app, app], [.sandbox], .duplicateApp(bundleID: "com.example.app")),
      (
        [app, ExpectedApp(bundleID: "com.example.b")], [.sandbox, .production],
        .missingAppAppleID(bundleID: "com.example.b")
      ),
    ] as [([ExpectedApp], Set<ServerEnvironment>, VerificationConfigurationError)])
  func `a server's configuration is refused before it refuses everything`(
    apps: [ExpectedApp], environments: Set<ServerEnvironment>,
    error: VerificationConfigurationError
  ) {
    #expect(throws: error) { try AllowedOrigins(apps: apps, environments: environments) }
    #expect(!error.isTransient && !error.advice.isEmpty && !error.description.isEmpty)
  }

  @Test func `the sandbox alone needs no App Store id`() throws {
    let allowed = try AllowedOrigins(
      apps: [ExpectedApp(bundleID: "com.example.app")], environments: [.sandbox])
    let verifier = try SampleStore.good.verifier(allowed)
    #expect(verifier.refusal(ofNotification: SampleStore.good.wholeNotification()) == nil)
  }

  @Test(arguments: [
    VerificationConfigurationError.noRoots, .unusableRoot, .unusableSerial("x"),
    .unprovableEnvironment("Xcode"), .cryptographyUnavailable,
  ])
  func `every configuration error says what to do`(error: VerificationConfigurationError) {
    #expect(!error.isTransient && !error.advice.isEmpty && !error.description.isEmpty)
  }

  typealias Row = (
    claim: String, changes: KeyValuePairs<String, String?>, rule: VerificationRule?
  )

  /// Data of a notification, held against two apps and both environments.
  static let listed: [Row] = [
    ("the first app", [:], nil),
    ("the second app", ["bundleId": "\"com.example.second\"", "appAppleId": "2"], nil),
    ("Production", ["environment": "\"Production\""], nil),
    ("the sandbox without an id", ["appAppleId": nil], nil),
    ("the sandbox with the id 0", ["appAppleId": "0"], nil),
    ("Production without an id", ["environment": "\"Production\"", "appAppleId": nil], .appID),
    ("Production with the id 0", ["environment": "\"Production\"", "appAppleId": "0"], .appID),
    ("an id of neither app", ["appAppleId": "7"], .appID),
    ("the other app's id", ["appAppleId": "2"], .appID),
    ("another bundle id with a known id", ["bundleId": "\"com.example.x\""], .bundleID),
    (
      "another bundle id with another id", ["bundleId": "\"com.example.x\"", "appAppleId": "7"],
      .appID
    ),
    (
      "another bundle id without an id", ["bundleId": "\"com.example.x\"", "appAppleId": nil],
      .bundleID
    ),
    ("no bundle id", ["bundleId": nil], .bundleID),
    ("no environment", ["environment": nil], .environment),
    ("an environment of tomorrow", ["environment": "\"Preview\""], .environment),
    ("Xcode", ["environment": "\"Xcode\""], .environment),
    ("local testing", ["environment": "\"LocalTesting\""], .environment),
  ]

  @Test(arguments: listed.indices)
  func `a server takes its apps and environments only`(row: Int) throws {
    let row = Self.listed[row]
    let allowed = try AllowedOrigins(
      apps: [Self.app, Self.second], environments: [.production, .sandbox])
    #expect(try Self.rule(row, allowed) == row.rule, "\(row.claim)")
  }

  static let archived: [Row] = [
    ("any app", ["bundleId": "\"com.example.x\"", "appAppleId": "7"], nil),
    ("no app", ["bundleId": nil, "appAppleId": nil], nil),
    ("Production without an id", ["environment": "\"Production\"", "appAppleId": nil], nil),
    ("no environment", ["environment": nil], nil),
    ("an environment of tomorrow", ["environment": "\"Preview\""], nil),
    ("Xcode", ["environment": "\"Xcode\""], .environment),
    ("local testing", ["environment": "\"LocalTesting\""], .environment),
  ]

  @Test(arguments: archived.indices)
  func `an archive tool takes all that Apple signs`(row: Int) throws {
    let row = Self.archived[row]
    #expect(try Self.rule(row, .any) == row.rule, "\(row.claim)")
  }

  static let compared: [(AllowedOrigins, VerificationRule?)] = [
    (.comparing(bundleID: nil, appAppleID: nil, environment: nil), nil),
    (.comparing(bundleID: nil, appAppleID: 1_234_567_890, environment: nil), nil),
    (.comparing(bundleID: nil, appAppleID: 7, environment: nil), .appID),
    (.comparing(bundleID: "com.example.app", appAppleID: nil, environment: nil), nil),
    (.comparing(bundleID: "com.example.x", appAppleID: nil, environment: nil), .bundleID),
    (.comparing(bundleID: nil, appAppleID: nil, environment: .production), .environment),
    (.comparing(bundleID: "com.example.x", appAppleID: 7, environment: .production), .appID),
  ]

  @Test(arguments: compared.indices)
  func `an inspection compares what it was given`(row: Int) throws {
    let (allowed, rule) = Self.compared[row]
    #expect(try Self.rule(("", [:], nil), allowed) == rule)
  }

  private static func rule(_ row: Row, _ allowed: AllowedOrigins) throws -> VerificationRule? {
    let data = row.changes.reduce(SamplePayload.data) { $0.setting($1.key, $1.value) }
    let refusal = try SampleStore.good.verifier(allowed).refusal(
      ofNotification: SampleStore.good.notification(data: data))
    #expect(refusal?.isOriginProved ?? true)
    return refusal?.cause
  }
}
