import AppStoreModel
import CCrypto

/// Checks the certificates of a header against the trusted roots, all rules but the date's.
///
/// `@unchecked Sendable`: libcrypto locks the store; nothing else changes after `init`.
final class ChainValidator: @unchecked Sendable {
  static let length = 3

  private let store: OpaquePointer
  private let roots: [String: TrustedRoot]
  private let denied: Set<CertificateSerial>
  private let leafMarker: ObjectIdentifierHandle
  private let intermediateMarker: ObjectIdentifierHandle
  private let simulatedMarker: ObjectIdentifierHandle

  init(
    roots: [TrustedRoot], denied: Set<CertificateSerial>
  ) throws(VerificationConfigurationError) {
    guard !roots.isEmpty else { throw .noRoots }
    guard let leaf = ObjectIdentifierHandle(CertificateMarker.leaf),
      let intermediate = ObjectIdentifierHandle(CertificateMarker.intermediate),
      let simulated = ObjectIdentifierHandle(SimulatorMarker.objectIdentifier),
      let store = X509_STORE_new()
    else { throw .cryptographyUnavailable }
    leafMarker = leaf
    intermediateMarker = intermediate
    simulatedMarker = simulated
    self.store = store
    self.denied = denied
    self.roots = Dictionary(roots.map { ($0.fingerprint, $0) }) { first, _ in first }
    for root in roots {
      guard let certificate = Certificate(der: root.certificate) else { throw .unusableRoot }
      withExtendedLifetime(certificate) { _ = X509_STORE_add_cert(store, certificate.handle) }
    }
  }

  deinit {
    X509_STORE_free(store)
  }

  /// The chain in `header`, when it is good and, for an inner JWS, of the outer one's realm.
  func chain(
    in header: JOSEHeader, segment: UnsafeBufferPointer<UInt8>, realm: Realm?
  ) throws(VerificationRule) -> SigningChain {
    defer { ERR_clear_error() }
    let (leaf, intermediate) = try certificates(of: header)
    guard let key = LeafKey(of: leaf) else { throw .chainLeafKey }
    try checkRoles(leaf: leaf, intermediate: intermediate)
    let (root, rootCertificate) = try root(above: intermediate, leaf)
    if root.realm == .apple, [leaf, intermediate, rootCertificate].contains(where: isSimulated) {
      throw .chainSimulated
    }
    guard !denied.contains(leaf.serial) else { throw .chainDenied }
    guard realm == nil || realm == root.realm else { throw .chainRealm }
    guard leaf.has(leafMarker) else { throw .markersLeaf }
    guard intermediate.has(intermediateMarker) else { throw .markersIntermediate }
    let signer = try signer(leaf, intermediate, rootCertificate, root)
    return SigningChain(
      header: SignedText.Header(segment: Array(segment)), signer: signer, key: key)
  }

  private func certificates(
    of header: JOSEHeader
  ) throws(VerificationRule) -> (leaf: Certificate, intermediate: Certificate) {
    guard let texts = header.certificates, texts.count == Self.length else { throw .chainLength }
    // The third is not read: what it holds can neither help nor harm.
    guard let leaf = Base64.decode(texts[0]).flatMap({ Certificate(der: $0) }),
      let intermediate = Base64.decode(texts[1]).flatMap({ Certificate(der: $0) }),
      leaf.isWellFormed, intermediate.isWellFormed
    else { throw .chainCertificates }
    return (leaf, intermediate)
  }

  private func checkRoles(
    leaf: Certificate, intermediate: Certificate
  ) throws(VerificationRule) {
    guard intermediate.isAuthority, intermediate.mayBeUsed(for: KU_KEY_CERT_SIGN) else {
      throw .chainIntermediate
    }
    guard !leaf.isAuthority, leaf.mayBeUsed(for: KU_DIGITAL_SIGNATURE) else { throw .chainLeaf }
  }

  private func isSimulated(_ certificate: Certificate) -> Bool {
    certificate.has(simulatedMarker)
  }

  private func signer(
    _ leaf: Certificate, _ intermediate: Certificate, _ root: Certificate, _ trusted: TrustedRoot
  ) throws(VerificationRule) -> Signer {
    guard let own = leaf.validity, let above = intermediate.validity, let top = root.validity else {
      throw .chainCertificates
    }
    return Signer(
      realm: trusted.realm, rootFingerprint: trusted.fingerprint, serial: leaf.serial,
      validFrom: max(own.lowerBound, above.lowerBound, top.lowerBound),
      validUntil: min(own.upperBound, above.upperBound, top.upperBound))
  }
}

extension ChainValidator {
  /// The configured root that the path leaf, intermediate, root ends in.
  ///
  /// libcrypto checks names, signatures, path lengths and critical extensions. The date is left
  /// out, for it is judged for every JWS. The strict flag is off: it asks for key identifiers,
  /// which genuine chains of Apple's test environment lack.
  private func root(
    above intermediate: Certificate, _ leaf: Certificate
  ) throws(VerificationRule) -> (TrustedRoot, Certificate) {
    guard let context = X509_STORE_CTX_new(), let untrusted = OPENSSL_sk_new_null() else {
      throw .chainPath
    }
    defer {
      X509_STORE_CTX_free(context)
      OPENSSL_sk_free(untrusted)
    }
    OPENSSL_sk_push(untrusted, UnsafeRawPointer(intermediate.handle))
    guard X509_STORE_CTX_init(context, store, leaf.handle, untrusted) == 1 else {
      throw .chainPath
    }
    let parameters = X509_STORE_CTX_get0_param(context)
    X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
    X509_VERIFY_PARAM_set_depth(parameters, 1)
    // Level 2 asks for 112 bits: no SHA-1, no short keys.
    X509_VERIFY_PARAM_set_auth_level(parameters, 2)
    guard X509_verify_cert(context) == 1, let path = X509_STORE_CTX_get0_chain(context),
      Int(OPENSSL_sk_num(path)) == Self.length, let top = OPENSSL_sk_value(path, 2)
    else { throw .chainPath }
    return try trusted(OpaquePointer(top))
  }

  private func trusted(
    _ top: OpaquePointer
  ) throws(VerificationRule) -> (TrustedRoot, Certificate) {
    var encoded: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509(top, &encoded)
    guard count > 0, let encoded else { throw .chainPath }
    defer { CRYPTO_free(encoded, #file, #line) }
    let der = Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    guard let root = roots[SHA256Digest.hexadecimal(of: der)],
      let certificate = Certificate(der: der)
    else { throw .chainPath }
    return (root, certificate)
  }
}
