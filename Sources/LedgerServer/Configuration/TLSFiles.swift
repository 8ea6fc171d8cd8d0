import CCrypto
import HTTPListener

/// The certificate and the key that a configuration names, read and found to belong together.
///
/// libmicrohttpd says only that it could not start; what is wrong with a file is found out here.
struct TLSFiles {
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
    defer { ERR_clear_error() }
    let leaf = TLSFiles.read(certificate) { PEM_read_bio_X509($0, nil, TLSFiles.noPassphrase, nil) }
    defer { X509_free(leaf) }
    guard leaf != nil else {
      throw .unusableIdentity(path: certificatePath, detail: "there is no certificate in PEM form")
    }
    let secret = TLSFiles.read(key) {
      PEM_read_bio_PrivateKey($0, nil, TLSFiles.noPassphrase, nil)
    }
    defer { EVP_PKEY_free(secret) }
    guard secret != nil else {
      throw .unusableIdentity(
        path: keyPath, detail: "there is no private key in PEM form without a passphrase")
    }
    guard X509_check_private_key(leaf, secret) == 1 else {
      throw .unusableIdentity(
        path: keyPath, detail: "the key is not that of the first certificate")
    }
    return TLSIdentity(certificate: certificate, key: key)
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
