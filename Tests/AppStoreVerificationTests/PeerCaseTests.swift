import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Testing

/// Cases that other verifiers of App Store data test, rebuilt with certificates of our own.
struct PeerCaseTests {
  private static let store = SampleStore.good

  private static func allowed(
    _ bundleID: String = "com.example.app", id: Int64 = 1_234_567_890,
    environment: ServerEnvironment = .sandbox
  ) throws -> AllowedOrigins {
    try AllowedOrigins(
      apps: [ExpectedApp(bundleID: bundleID, appAppleID: id)], environments: [environment])
  }

  private static let test = SamplePayload.notification.setting("notificationType", "\"TEST\"")

  @Test func `a test notification is accepted`() throws {
    let text = Self.store.notification(Self.test)
    #expect(try Self.store.verifier(Self.allowed()).refusal(ofNotification: text) == nil)
  }

  @Test func `a sandbox notification is refused where only Production is allowed`() throws {
    let text = Self.store.notification(Self.test)
    let verifier = try Self.store.verifier(Self.allowed(environment: .production))
    #expect(verifier.refusal(ofNotification: text)?.cause == .environment)
  }

  @Test func `the App Store id is compared before the environment`() throws {
    let text = Self.store.notification(Self.test)
    let verifier = try Self.store.verifier(Self.allowed(id: 1_235, environment: .production))
    #expect(verifier.refusal(ofNotification: text)?.cause == .appID)
  }

  @Test func `a notification is no transaction`() throws {
    let text = Self.store.notification(Self.test)
    let verifier = try Self.store.verifier(Self.allowed())
    #expect(verifier.refusal(ofTransaction: text)?.cause == .bundleID)
  }

  @Test func `a transaction is no notification`() throws {
    let verifier = try Self.store.verifier(Self.allowed())
    #expect(verifier.refusal(ofNotification: Self.store.transaction())?.cause == .bundleID)
  }

  @Test func `a payload with only its environment, date and app is enough`() throws {
    let payload = SamplePayload([
      "environment": "\"Sandbox\"", "signedDate": "1780000000000",
      "bundleId": "\"com.example.app\"",
    ])
    let verifier = try Self.store.verifier(Self.allowed())
    let text = Array(Self.store.transaction(payload).utf8)
    #expect(verifier.refusal(ofTransaction: Self.store.transaction(payload)) == nil)
    _ = try verifier.verifyRenewalInfo(text, now: SampleStore.now)
  }

  @Test func `both environments share one address`() throws {
    let allowed = try AllowedOrigins(
      apps: [ExpectedApp(bundleID: "com.example.app", appAppleID: 1_234_567_890)],
      environments: [.production, .sandbox])
    let verifier = try Self.store.verifier(allowed)
    for environment in ["Production", "Sandbox"] {
      let text = Self.store.notification(
        data: .data.setting("environment", "\"\(environment)\""),
        transaction: Self.store.transaction(
          .transaction.setting("environment", "\"\(environment)\"")))
      let notification = try verifier.verifyNotification(Array(text.utf8), now: SampleStore.now)
      #expect(notification.outer.payload?.data?.environment?.rawValue == environment)
    }
  }

  typealias Container = (
    name: String, environment: ServerEnvironment, member: String, value: SamplePayload
  )

  private static let token = SamplePayload([
    "externalPurchaseId": "\"b2158121-7af9-49d4-9561-1f588205523e\"",
    "tokenCreationDate": "1780000000000", "appAppleId": "1234567890",
    "bundleId": "\"com.example.app\"",
  ])
  private static let summary = SamplePayload.data
    .setting("requestIdentifier", "\"efb27071-45a4-4aca-9854-2a1e9146f265\"")
    .setting("productId", "\"com.example.product\"")
    .setting("storefrontCountryCodes", "[\"CAN\",\"USA\",\"MEX\"]")
    .setting("succeededCount", "5").setting("failedCount", "2")

  static let containers: [Container] = [
    ("data", .sandbox, "data", .data),
    ("summary", .sandbox, "summary", summary),
    ("a token", .production, "externalPurchaseToken", token),
    (
      "a sandbox token", .sandbox, "externalPurchaseToken",
      token.setting("externalPurchaseId", "\"SANDBOX_b2158121\"")
    ),
    ("appData", .sandbox, "appData", .data),
  ]

  @Test(arguments: containers.indices)
  func `app and environment come from whichever container is there`(row: Int) throws {
    let row = Self.containers[row]
    let right = row.environment
    let wrong: ServerEnvironment = right == .sandbox ? .production : .sandbox
    let text = Self.store.signer.sign(
      SamplePayload.notification.setting(row.member, row.value.json).bytes)
    func rule(_ allowed: AllowedOrigins) throws -> VerificationRule? {
      try Self.store.verifier(allowed).refusal(ofNotification: text)?.cause
    }
    #expect(try rule(Self.allowed(environment: right)) == nil, "\(row.name)")
    #expect(try rule(Self.allowed(environment: wrong)) == .environment, "\(row.name)")
    #expect(try rule(Self.allowed("com.example.x", environment: right)) == .bundleID, "\(row.name)")
    #expect(try rule(Self.allowed(id: 7, environment: right)) == .appID, "\(row.name)")
  }

  @Test func `a notification with none of the containers names no app`() throws {
    let text = Self.store.signer.sign(SamplePayload.notification.bytes)
    #expect(
      try Self.store.verifier(Self.allowed()).refusal(ofNotification: text)
        == VerificationError(.bundleID, in: .notification, isOriginProved: true))
    #expect(try Self.store.verifier().refusal(ofNotification: text) == nil)
  }

  @Test(arguments: ["Xcode", "LocalTesting"])
  func `data that only a developer's machine vouches for is refused`(environment: String) throws {
    let word = "\"\(environment)\""
    let oneself = Certificate.selfSigned(
      .leaf, key: PrivateKey(.p256, seed: 8, purpose: "Xcode"))
    let signers = [
      JWSSigner(key: oneself.key, header: JWSHeader(chain: nil)),
      JWSSigner(key: oneself.key, header: JWSHeader(chain: [oneself.der])),
    ]
    let verifier = try Self.store.verifier()
    let payload = SamplePayload.transaction.setting("environment", word)
    for signer in signers {
      let text = Self.store.transaction(payload, by: signer)
      #expect(verifier.refusal(ofTransaction: text)?.cause == .chainLength)
      let notification = Self.store.notification(
        data: .data.setting("environment", word), by: signer)
      #expect(verifier.refusal(ofNotification: notification)?.cause == .chainLength)
    }
    let app = Array(
      Self.store.transaction(.appTransaction.setting("receiptType", word)).utf8)
    #expect(throws: VerificationError(.environment, in: .appTransaction)) {
      try verifier.verifyAppTransaction(app, now: SampleStore.now)
    }
    #expect(verifier.refusal(ofTransaction: Self.store.transaction(payload))?.cause == .environment)
  }

  @Test func `the payload does not decide how it is checked`() throws {
    let text =
      "header."
      + Base64.url(
        Array(
          """
          {"data":{"environment":"Xcode","bundleId":"com.example.app"},"notificationType":"REFUND"}
          """.utf8)) + ".x"
    #expect(
      try Self.store.verifier().refusal(ofNotification: text)
        == VerificationError(.formBase64URL, in: .notification))
  }
}
