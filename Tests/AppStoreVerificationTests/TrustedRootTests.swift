import AppStoreModel
import AppStoreSimulator
import Testing

@testable import AppStoreVerification

struct TrustedRootTests {
  @Test func `Apple's root is the one that Apple publishes`() {
    #expect(
      TrustedRoot.apple.fingerprint
        == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
    #expect(TrustedRoot.apple.realm == .apple)
    #expect(TrustedRoot.apple.certificate.count == 583)
  }

  @Test func `Apple's root has Apple's realm however it is configured`() throws {
    let configured = try TrustedRoot(certificate: TrustedRoot.apple.certificate)
    #expect(configured == .apple)
  }

  @Test func `every other root has a realm of its own`() throws {
    let root = SampleStore.good.authority.root
    let trusted = try TrustedRoot(certificate: root.der)
    #expect(trusted.realm == .test(fingerprint: root.fingerprint))
    #expect(trusted.fingerprint == root.fingerprint)
  }

  static let unusable: [[UInt8]] = [
    [], [0x30], Array("abc".utf8), SampleStore.good.rootCertificate.dropLast(),
    SampleStore.good.rootCertificate + [0], SampleStore.good.authority.intermediate.der,
  ]

  @Test(arguments: unusable)
  func `what is no self-signed certificate is no root`(der: [UInt8]) {
    #expect(throws: VerificationConfigurationError.unusableRoot) {
      try TrustedRoot(certificate: der)
    }
  }

  @Test func `a verifier without a root cannot be made`() {
    #expect(throws: VerificationConfigurationError.noRoots) {
      try SignedDataVerifier(roots: [], allowed: .any)
    }
  }

  @Test func `a root that is no certificate is found when the verifier is made`() {
    let broken = TrustedRoot(certificate: [1, 2, 3], realm: .apple)
    #expect(throws: VerificationConfigurationError.unusableRoot) {
      try SignedDataVerifier(roots: [broken], allowed: .any)
    }
  }

  @Test func `of several roots the right one is found`() throws {
    let stores = [SampleStore.good, SampleStore(seed: 2), SampleStore(seed: 3)]
    let roots = try stores.map { try TrustedRoot(certificate: $0.rootCertificate) }
    let verifier = try SignedDataVerifier(roots: roots + [.apple], allowed: .any)
    for (store, root) in zip(stores, roots) {
      let text = Array(store.wholeNotification().utf8)
      let notification = try verifier.verifyNotification(text, now: SampleStore.now)
      #expect(notification.realm == root.realm)
      #expect(notification.outer.signer.rootFingerprint == root.fingerprint)
      #expect(notification.transaction?.realm == root.realm)
    }
  }

  @Test func `a simulated certificate is refused under Apple's realm even if configured`() throws {
    let store = SampleStore.good
    let posing = TrustedRoot(certificate: store.rootCertificate, realm: .apple)
    let verifier = try SignedDataVerifier(roots: [posing], allowed: .any)
    #expect(
      verifier.refusal(ofNotification: store.wholeNotification())
        == VerificationError(.chainSimulated, in: .notification))
  }

  @Test(arguments: 0..<3)
  func `one marked certificate of the three is enough`(marked: Int) throws {
    var plans = [CertificatePlan.root, .intermediate, .leaf]
    for index in plans.indices where index != marked {
      plans[index].markers.removeAll { $0 == SimulatorMarker.objectIdentifier }
    }
    let store = SampleStore(root: plans[0], intermediate: plans[1], leaf: plans[2])
    let posing = TrustedRoot(certificate: store.rootCertificate, realm: .apple)
    let verifier = try SignedDataVerifier(roots: [posing], allowed: .any)
    #expect(
      verifier.refusal(ofNotification: store.wholeNotification())?.cause == .chainSimulated)
  }

  @Test func `an inner JWS of another realm is refused although its root is trusted`() throws {
    let outer = SampleStore.good
    let other = SampleStore(seed: 2)
    let roots = [outer, other].map { store in
      (try? TrustedRoot(certificate: store.rootCertificate)) ?? .apple
    }
    let mixed = outer.notification(transaction: other.transaction())
    let expected = VerificationError(.chainRealm, in: .transaction, isOriginProved: true)
    let verifier = try SignedDataVerifier(roots: roots, allowed: .any)
    #expect(verifier.refusal(ofNotification: mixed) == expected)
    // The same once the inner chain is known.
    #expect(verifier.refusal(ofTransaction: other.transaction()) == nil)
    #expect(verifier.refusal(ofNotification: mixed) == expected)
  }
}
