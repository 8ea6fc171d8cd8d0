import AppStoreModel
import AppStoreSimulator
import AppStoreVerification

/// A simulated App Store whose certificates and texts can be spoiled in one place.
struct SampleStore {
  static let now = Timestamp(millisecondsSince1970: SamplePayload.signedDate + 86_400_000)
  static let good = SampleStore()

  let authority: CertificateAuthority
  let signer: JWSSigner
  /// The store's root in DER form.
  var rootCertificate: [UInt8] { authority.root.der }

  init(
    seed: UInt64 = 1, root: CertificatePlan = .root, intermediate: CertificatePlan = .intermediate,
    leaf: CertificatePlan = .leaf
  ) {
    authority = CertificateAuthority(seed: seed, root: root, intermediate: intermediate, leaf: leaf)
    signer = JWSSigner(authority)
  }

  /// Signs with the leaf's key, under another header.
  func signer(_ change: (inout JWSHeader) -> Void) -> JWSSigner {
    var header = JWSHeader(chain: authority.chain)
    change(&header)
    return JWSSigner(key: authority.leaf.key, header: header)
  }

  /// Signs with the leaf's key, under other certificates.
  func signer(chain: [[UInt8]]) -> JWSSigner {
    JWSSigner(key: authority.leaf.key, header: JWSHeader(chain: chain))
  }

  /// A key that none of the store's certificates is for, under the store's certificates.
  var stranger: JWSSigner {
    JWSSigner(
      key: PrivateKey(.p256, seed: 99, purpose: "stranger"),
      header: JWSHeader(chain: authority.chain))
  }

  func verifier(
    _ allowed: AllowedOrigins = .any, denied: Set<CertificateSerial> = []
  ) throws -> SignedDataVerifier {
    try SignedDataVerifier(
      roots: [TrustedRoot(certificate: rootCertificate)], allowed: allowed,
      deniedLeafSerials: denied)
  }

  /// A transaction, signed alone.
  func transaction(
    _ payload: SamplePayload = .transaction, by signer: JWSSigner? = nil,
    _ form: SignatureForm = .raw
  ) -> String {
    (signer ?? self.signer).sign(payload.bytes, form)
  }

  /// A notification; the parts inside are the JWS texts given.
  func notification(
    _ payload: SamplePayload = .notification, data: SamplePayload = .data,
    transaction: String? = nil, renewal: String? = nil, by signer: JWSSigner? = nil,
    _ form: SignatureForm = .raw
  ) -> String {
    let data =
      data
      .setting("signedTransactionInfo", transaction.map { "\"\($0)\"" })
      .setting("signedRenewalInfo", renewal.map { "\"\($0)\"" })
    return (signer ?? self.signer).sign(payload.setting("data", data.json).bytes, form)
  }

  /// A notification with a transaction and a renewal inside, all three signed by `signer`.
  func wholeNotification(by signer: JWSSigner? = nil, _ form: SignatureForm = .raw) -> String {
    notification(
      transaction: transaction(by: signer),
      renewal: transaction(.renewal, by: signer), by: signer, form)
  }
}

extension AllowedOrigins {
  /// What the thirty bad payloads are held against.
  static let sample = AllowedOrigins.comparing(
    bundleID: "com.example.app", appAppleID: nil, environment: .sandbox)
}

extension SignedDataVerifier {
  /// The error that a notification is refused with; `nil` when it is accepted.
  func refusal(ofNotification text: String) -> VerificationError? {
    do throws(VerificationError) {
      _ = try verifyNotification(Array(text.utf8), now: SampleStore.now)
      return nil
    } catch {
      return error
    }
  }

  func refusal(ofTransaction text: String) -> VerificationError? {
    do throws(VerificationError) {
      _ = try verifyTransaction(Array(text.utf8), now: SampleStore.now)
      return nil
    } catch {
      return error
    }
  }
}
