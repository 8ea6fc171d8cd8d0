import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import LedgerStorage
import Testing

@testable import LedgerServer

/// What becomes of proved data on its way into the ledger.
struct DeliveryTests {
  private let authority = CertificateAuthority(seed: 7)
  private let now = Timestamp(millisecondsSince1970: 1_767_225_600_000)
  private let verifier: SignedDataVerifier
  private let sold: UnsignedNotification

  init() throws {
    let root = try TrustedRoot(certificate: authority.root.der)
    verifier = try SignedDataVerifier(roots: [root], allowed: .any)
    var store = SimulatedAppStore(seed: 7)
    let ann = store.enroll("ann")
    try store.buy(SimulatedProduct.pro.id, by: ann, at: now)
    sold = try #require(store.notifications.last)
  }

  @Test func `a purchase acts, and is kept with its parts`() throws {
    let jws = signer.sign(sold)
    let delivery = Delivery(try notification(jws), channel: .notification, receivedAt: now)
    guard case .applied(let fact) = delivery.effect, case .signed(let record) = delivery.body
    else { throw Surprise() }
    #expect(fact.scope.bundleId == "com.example.app")
    #expect(record.kind == .notification)
    #expect(record.parts.map(\.kind) == [.transaction, .renewalInfo])
    #expect(String(decoding: record.compactForm(), as: UTF8.self) == jws)
  }

  @Test func `what may not act yet is held with the reason`() throws {
    let delivery = Delivery(
      try notification(signer.sign(sold)), channel: .notification, receivedAt: now,
      holding: "was signed long ago")
    guard case .held(_, reason: "was signed long ago") = delivery.effect else { throw Surprise() }
  }

  @Test(arguments: [
    (#"{"data":{"bundleId":"b","environment":"Sandbox"},"notificationUUID":"u"}"#, "b"),
    (#"{"summary":{"bundleId":"b","environment":"Sandbox"},"notificationUUID":"u"}"#, "b"),
    (#"{"appData":{"bundleId":"b","environment":"Production"},"notificationUUID":"u"}"#, "b"),
    (#"{"externalPurchaseToken":{"bundleId":"b"},"notificationUUID":"u"}"#, "b"),
    (#"{"data":{"environment":"Sandbox"},"notificationUUID":"u"}"#, nil),
    (#"{"data":{"bundleId":"b","environment":"Orbit"},"notificationUUID":"u"}"#, nil),
    (#"{"notificationType":"LATER"}"#, nil),
    (#"{"data":5}"#, nil),
  ])
  func `a notification about no purchase is kept and changes nothing`(
    json: String, bundleId: String?
  ) throws {
    let delivery = Delivery(try notification(sign(json)), channel: .notification, receivedAt: now)
    guard case .opaque(let scope, let reason) = delivery.effect else { throw Surprise() }
    #expect(scope?.bundleId == bundleId)
    #expect(!reason.isEmpty)
  }

  @Test func `a purchase that cannot be read is kept with the reason`() throws {
    let inner = sign(#"{"transactionId":5}"#)
    let jws = sign(#"{"notificationUUID":"u","data":{"signedTransactionInfo":"\#(inner)"}}"#)
    let delivery = Delivery(try notification(jws), channel: .notification, receivedAt: now)
    guard case .opaque(nil, let reason) = delivery.effect else { throw Surprise() }
    #expect(reason.contains("transactionId"))
  }

  @Test func `a transaction and a renewal act alone, the renewal for the app it is said to be of`()
    throws
  {
    let transaction = try #require(sold.transaction)
    let proved = try verifier.verifyTransaction(Array(signer.sign(transaction).utf8), now: now)
    let renewal = try #require(sold.renewal)
    let provedRenewal = try verifier.verifyRenewalInfo(Array(signer.sign(renewal).utf8), now: now)
    let deliveries = [
      Delivery(proved, channel: .device, receivedAt: now),
      Delivery(provedRenewal, bundleId: "b", channel: .device, receivedAt: now),
      Delivery(provedRenewal, bundleId: nil, channel: .device, receivedAt: now),
    ]
    let acted = deliveries.map { if case .applied = $0.effect { true } else { false } }
    #expect(acted == [true, true, false])
  }

  @Test func `an unreadable transaction and an app transaction are kept`() throws {
    let unreadable = try verifier.verifyTransaction(
      Array(sign(#"{"transactionId":5}"#).utf8), now: now)
    let json = #"{"receiptType":"Sandbox","bundleId":"b"}"#
    let app = try verifier.verifyAppTransaction(Array(sign(json).utf8), now: now)
    let first = Delivery(unreadable, channel: .device, receivedAt: now)
    let second = Delivery(app, channel: .device, receivedAt: now)
    guard case .opaque(nil, _) = first.effect, case .opaque(let scope, _) = second.effect
    else { throw Surprise() }
    #expect(scope?.bundleId == "b")
  }

  private struct Surprise: Error {}

  private var signer: NotificationSigner { NotificationSigner(JWSSigner(authority)) }

  private func sign(_ json: String) -> String { JWSSigner(authority).sign(Array(json.utf8)) }

  private func notification(_ jws: String) throws -> VerifiedNotification {
    try verifier.verifyNotification(Array(jws.utf8), now: now)
  }
}
