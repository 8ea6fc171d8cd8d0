import AppStoreModel
import AppStoreVerification
import Testing

@testable import AppStoreSimulator

struct ForgerTests {
  let authority = CertificateAuthority(seed: 5)

  private func verify(_ forgery: Forgery) throws -> VerifiedNotification {
    var store = SimulatedAppStore(seed: 5)
    let ada = store.enroll("Ada")
    let now = Timestamp(millisecondsSince1970: 1_790_000_000_000)
    try store.buy(SimulatedProduct.pro.id, by: ada, at: now)
    var notification = try #require(store.notifications.first)
    notification.forgery = forgery
    let app = SimulatedApp()
    let verifier = try SignedDataVerifier(
      roots: [TrustedRoot(certificate: authority.root.der)],
      allowed: AllowedOrigins(
        apps: [ExpectedApp(bundleID: app.bundleId, appAppleID: app.appAppleId)],
        environments: [.sandbox]))
    let signed = NotificationSigner(JWSSigner(authority)).sign(notification)
    return try verifier.verifyNotification(Array(signed.utf8), now: now)
  }

  @Test(arguments: Forgery.allCases.filter { $0 != .futureDate })
  func `a forgery is refused`(forgery: Forgery) {
    #expect(throws: VerificationError.self) { try verify(forgery) }
  }

  /// Whoever reads what was signed tells it apart.
  @Test func `a future date is correctly signed`() throws {
    let date = try verify(.futureDate).outer.payload?.signedDate
    #expect(date == Timestamp(millisecondsSince1970: 1_790_086_400_000))
  }
}
