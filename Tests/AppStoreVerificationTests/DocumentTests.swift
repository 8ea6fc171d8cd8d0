import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Testing

/// What the verifier hands on: typed, or kept as it is, and byte for byte.
struct DocumentTests {
  private static let store = SampleStore.good

  @Test func `a notification gives all its parts, typed`() throws {
    let text = Array(Self.store.wholeNotification().utf8)
    let verifier = try Self.store.verifier()
    let notification = try verifier.verifyNotification(text, now: SampleStore.now)
    #expect(notification.outer.payload?.notificationType == .refund)
    #expect(notification.transaction?.payload?.transactionId == "2000000000000002")
    #expect(notification.renewalInfo?.payload?.productId == "com.example.app.pro")
    #expect(notification.appTransaction == nil)
    #expect(notification.realm == .test(fingerprint: Self.store.authority.root.fingerprint))
  }

  @Test func `every part makes its compact form again, byte for byte`() throws {
    let transaction = Self.store.transaction()
    let renewal = Self.store.transaction(.renewal)
    let text = Self.store.notification(transaction: transaction, renewal: renewal)
    let verifier = try Self.store.verifier()
    let notification = try verifier.verifyNotification(Array(text.utf8), now: SampleStore.now)
    #expect(notification.outer.text.compactForm() == Array(text.utf8))
    #expect(notification.transaction?.text.compactForm() == Array(transaction.utf8))
    #expect(notification.renewalInfo?.text.compactForm() == Array(renewal.utf8))
    #expect(notification.outer.text.signature.count == 64)
    #expect(notification.outer.text.header == notification.transaction?.text.header)
    #expect(notification.outer.text.header.sha256.count == 32)
  }

  @Test(arguments: [
    "[]", "null", "{\"signedDate\":\"yesterday\"}", "{\"data\":7,\"signedDate\":1780000000000}",
    "{\"signedDate\":1780000000000,\"data\":[]}", "\u{1}",
  ])
  func `a proved notification of unknown shape is kept, not refused`(json: String) throws {
    let allowed = try AllowedOrigins(
      apps: [ExpectedApp(bundleID: "com.example.app")], environments: [.sandbox])
    let verifier = try Self.store.verifier(allowed)
    let text = Array(Self.store.signer.sign(Array(json.utf8)).utf8)
    let notification = try verifier.verifyNotification(text, now: SampleStore.now)
    #expect(notification.outer.payload == nil && notification.outer.verified == nil)
    guard case .opaque(let opaque) = notification.outer.content else {
      Issue.record("the payload was understood")
      return
    }
    #expect(opaque.payload.json == Array(json.utf8) && !opaque.payload.reason.isEmpty)
    #expect(opaque.realm == notification.realm)
    #expect(notification.outer.text.compactForm() == text)
    let isDated = json.contains("1780000000000")
    let signed = Timestamp(millisecondsSince1970: SamplePayload.signedDate)
    #expect(notification.outer.judgedAt == (isDated ? signed : SampleStore.now))
  }

  @Test func `an inner payload of unknown shape does not refuse the notification`() throws {
    let odd = SamplePayload.transaction.setting("quantity", "\"three\"")
    let text = Self.store.notification(
      transaction: Self.store.transaction(odd), renewal: Self.store.transaction(.renewal))
    let verifier = try Self.store.verifier(.sample)
    let notification = try verifier.verifyNotification(Array(text.utf8), now: SampleStore.now)
    #expect(notification.transaction != nil && notification.transaction?.payload == nil)
    #expect(notification.renewalInfo?.payload != nil)
  }

  @Test func `an unknown shape does not excuse a bad signature`() throws {
    let text = Self.store.signer.sign(Array("[]".utf8), .flipped)
    #expect(
      try Self.store.verifier().refusal(ofNotification: text)
        == VerificationError(.signature, in: .notification))
  }

  @Test func `types, subtypes and members of tomorrow are accepted`() throws {
    let payload = SamplePayload.notification
      .setting("notificationType", "\"SOMETHING_2027\"").setting("subtype", "\"NEW\"")
      .setting("more", "{\"a\":[1]}")
    let text = Self.store.notification(
      payload, transaction: Self.store.transaction(.transaction.setting("offerType", "9")))
    let verifier = try Self.store.verifier(.sample)
    let notification = try verifier.verifyNotification(Array(text.utf8), now: SampleStore.now)
    #expect(notification.outer.payload?.notificationType?.rawValue == "SOMETHING_2027")
    #expect(notification.transaction?.payload != nil)
  }
}
