import AppStoreModel
import CCrypto
import HTTPListener

/// The certificate and the key that a configuration names, read and found to belong together.
///
/// libmicrohttpd says only that it could not start; what is wrong with a file is found out here.
struct TLSFiles {
  /// How a certificate's dates lie to a moment.
  enum Lifetime: Hashable {
    case notYetValid
    case days(Int32)
    case over
  }

  private let certificatePath: String
  private let keyPath: String
  private let certificate: [UInt8]
  private let key: [UInt8]

  /// `nil` for a listener without TLS.
  ///
  /// Errors: ``ServiceError/unreadableFile(path:detail:)``.
  init?(_ listener: Configuration.Listener) throws(ServiceError) {
    guard let certificatePath = listener.certificatePath, let keyPath = listener.keyPath else {
      return nil
    }
    self.certificatePath = certificatePath
    self.keyPath = keyPath
    certificate = try Configuration.file(certificatePath)
    key = try Configuration.file(keyPath)
  }

  /// Errors: ``ServiceError/unusableIdentity(path:detail:)``.
  func identity() throws(ServiceError) -> TLSIdentity {
    try withLeaf { _ in TLSIdentity(certificate: certificate, key: key) }
  }

  /// How long the server's own certificate is still valid.
  ///
  /// Errors: ``ServiceError/unusableIdentity(path:detail:)``.
  func lifetime(at now: Timestamp) throws(ServiceError) -> Lifetime {
    try withLeaf { leaf in TLSFiles.lifetime(of: leaf, at: now) }
  }

  private func withLeaf<Result>(_ body: (OpaquePointer) -> Result) throws(ServiceError) -> Result {
    defer { ERR_clear_error() }
    guard
      let leaf = TLSFiles.read(certificate, { PEM_read_bio_X509($0, nil, Self.noPassphrase, nil) })
    else {
      throw .unusableIdentity(path: certificatePath, detail: "there is no certificate in PEM form")
    }
    defer { X509_free(leaf) }
    guard
      let secret = TLSFiles.read(key, { PEM_read_bio_PrivateKey($0, nil, Self.noPassphrase, nil) })
    else {
      throw .unusableIdentity(
        path: keyPath, detail: "there is no private key in PEM form without a passphrase")
    }
    defer { EVP_PKEY_free(secret) }
    guard X509_check_private_key(leaf, secret) == 1 else {
      throw .unusableIdentity(
        path: keyPath, detail: "the key is not that of the first certificate")
    }
    return body(leaf)
  }

  private static func lifetime(of leaf: OpaquePointer, at now: Timestamp) -> Lifetime {
    var seconds = time_t(now.millisecondsSince1970 / 1_000)
    var days: Int32 = 0
    var rest: Int32 = 0
    let moment = ASN1_TIME_set(nil, seconds)
    defer { ASN1_TIME_free(moment) }
    guard X509_cmp_time(X509_get0_notBefore(leaf), &seconds) < 0 else { return .notYetValid }
    guard X509_cmp_time(X509_get0_notAfter(leaf), &seconds) > 0,
      ASN1_TIME_diff(&days, &rest, moment, X509_get0_notAfter(leaf)) == 1
    else { return .over }
    return .days(days)
  }

  private static func read(
    _ bytes: [UInt8], _ parse: (OpaquePointer?) -> OpaquePointer?
  ) -> OpaquePointer? {
    let source = BIO_new_mem_buf(bytes, Int32(clamping: bytes.count))
    defer { BIO_free(source) }
    return parse(source)
  }

  /// Without it libcrypto would ask at the terminal.
  private static let noPassphrase:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 =
      {
        _, _, _, _ in -1
      }
}
