import CCrypto
import Glibc

/// A certificate for 127.0.0.1 that vouches for itself, and its key, in files that go with the object.
final class TestIdentity {
  let certificatePath: String
  let keyPath: String
  /// The same key, asked for with a passphrase.
  let lockedKeyPath: String
  private let folder: TestFolder

  struct Failure: Error {}

  /// It is valid for so many days from now on.
  init(days: Int = 1) throws {
    folder = try TestFolder()
    certificatePath = folder.file("certificate.pem")
    keyPath = folder.file("key.pem")
    lockedKeyPath = folder.file("locked.pem")
    let key = EVP_PKEY_new()
    defer { EVP_PKEY_free(key) }
    let curve = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1)
    defer { EC_KEY_free(curve) }
    guard EC_KEY_generate_key(curve) == 1, EVP_PKEY_set1_EC_KEY(key, curve) == 1 else {
      throw Failure()
    }
    let certificate = try TestIdentity.certificate(key, days)
    defer { X509_free(certificate) }
    try write(certificatePath) { PEM_write_bio_X509($0, certificate) }
    try write(keyPath) { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    let word = Array("open".utf8)
    try write(lockedKeyPath) {
      PEM_write_bio_PrivateKey($0, key, EVP_aes_256_cbc(), word, Int32(word.count), nil, nil)
    }
  }

  private static func certificate(
    _ key: OpaquePointer?, _ days: Int
  ) throws -> OpaquePointer? {
    let certificate = X509_new()
    X509_set_version(certificate, 2)
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3_600)
    X509_gmtime_adj(X509_getm_notAfter(certificate), days * 86_400)
    let name = X509_get_subject_name(certificate)
    let words = Array("Test server".utf8)
    X509_NAME_add_entry_by_txt(name, "CN", 0x1001, words, Int32(words.count), -1, 0)
    X509_set_issuer_name(certificate, name)
    X509_set_pubkey(certificate, key)
    let address = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, "IP:127.0.0.1")
    defer { X509_EXTENSION_free(address) }
    X509_add_ext(certificate, address, -1)
    guard X509_sign(certificate, key, EVP_sha256()) > 0 else { throw Failure() }
    return certificate
  }

  private func write(_ path: String, _ body: (OpaquePointer?) -> Int32) throws {
    let file = BIO_new_file(path, "w")
    defer { BIO_free(file) }
    guard file != nil, body(file) == 1 else { throw Failure() }
  }
}
