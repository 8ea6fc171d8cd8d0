import AppStoreModel
import CCrypto

/// The certificate and key that the server would serve TLS with.
struct CertificateFile {
  /// PEM.
  let certificate: [UInt8]
  let key: [UInt8]

  func finding(at now: Timestamp) -> Finding {
    guard let leaf = CertificateFile.certificate(certificate) else {
      return failed("The certificate file holds no certificate in PEM form.")
    }
    defer { X509_free(leaf) }
    guard let key = CertificateFile.key(key) else {
      return failed("The key file holds no unencrypted private key in PEM form.")
    }
    defer { EVP_PKEY_free(key) }
    guard X509_check_private_key(leaf, key) == 1 else {
      ERR_clear_error()
      return failed("The key is not the certificate's.")
    }
    return lifetime(of: leaf, at: now)
  }

  private func lifetime(of leaf: OpaquePointer, at now: Timestamp) -> Finding {
    var seconds = time_t(now.millisecondsSince1970 / 1_000)
    var days: Int32 = 0
    var rest: Int32 = 0
    let moment = ASN1_TIME_set(nil, seconds)
    defer { ASN1_TIME_free(moment) }
    guard X509_cmp_time(X509_get0_notBefore(leaf), &seconds) < 0 else {
      return failed("The certificate is not valid yet.")
    }
    guard X509_cmp_time(X509_get0_notAfter(leaf), &seconds) > 0,
      ASN1_TIME_diff(&days, &rest, moment, X509_get0_notAfter(leaf)) == 1
    else { return failed("The certificate has expired.") }
    let text = "The certificate is valid for \(days) more days."
    if days < 14 {
      return Finding(.certificate, .warning, text, advice: "Renew it, and restart the server.")
    }
    return Finding(.certificate, .ok, text)
  }

  private func failed(_ text: String) -> Finding {
    Finding(
      .certificate, .failed, text,
      advice: "Apple delivers only to a valid certificate of a public authority.")
  }

  private static func certificate(_ pem: [UInt8]) -> OpaquePointer? {
    guard let file = BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else { return nil }
    defer { BIO_free(file) }
    defer { ERR_clear_error() }
    return PEM_read_bio_X509(file, nil, nil, nil)
  }

  private static func key(_ pem: [UInt8]) -> OpaquePointer? {
    guard let file = BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else { return nil }
    defer { BIO_free(file) }
    defer { ERR_clear_error() }
    // Without a callback libcrypto would ask at the terminal for the password of an encrypted key.
    return PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil)
  }
}
