import CCrypto
import Foundation
import HTTPListener

/// An authority of a test's own, whose root is in a file, and the certificates that it gives.
final class TestAuthority {
  /// Whom a certificate is for, and how long.
  struct Wish {
    var names = "DNS:localhost"
    /// Unit: seconds from now.
    var begins = -3_600
    /// Unit: seconds from now.
    var ends = 86_400
    var vouchesForItself = false
  }

  struct Failure: Error {}

  /// The root, in PEM form.
  let rootPath: String
  private let folder = try? TestFolder()
  private let key: OpaquePointer
  private let root: OpaquePointer

  init(_ name: String = "Test root") throws {
    key = try Self.freshKey()
    let extensions = [(NID_basic_constraints, "critical,CA:TRUE")]
    root = try Self.certificate(name, key, by: nil, -7_200, 172_800, extensions)
    guard let path = folder?.file("root.pem") else { throw Failure() }
    rootPath = path
    try Data(Self.pem(root)).write(to: URL(filePath: path))
  }

  deinit {
    X509_free(root)
    EVP_PKEY_free(key)
  }

  /// What a server proves itself with.
  func identity(_ wish: Wish = Wish()) throws -> TLSIdentity {
    let own = try Self.freshKey()
    defer { EVP_PKEY_free(own) }
    let signer = wish.vouchesForItself ? nil : (root, key)
    let certificate = try Self.certificate(
      "Test server", own, by: signer, wish.begins, wish.ends,
      [(NID_subject_alt_name, wish.names)])
    defer { X509_free(certificate) }
    let keyText = try Self.text { PEM_write_bio_PrivateKey($0, own, nil, nil, 0, nil, nil) }
    return TLSIdentity(certificate: try Self.pem(certificate), key: keyText)
  }

  private static func freshKey() throws -> OpaquePointer {
    let curve = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1)
    defer { EC_KEY_free(curve) }
    guard let key = EVP_PKEY_new(), EC_KEY_generate_key(curve) == 1,
      EVP_PKEY_set1_EC_KEY(key, curve) == 1
    else { throw Failure() }
    return key
  }

  private static func certificate(
    _ name: String, _ key: OpaquePointer, by signer: (OpaquePointer, OpaquePointer)?,
    _ begins: Int, _ ends: Int, _ extensions: [(Int32, String)]
  ) throws -> OpaquePointer {
    guard let certificate = X509_new() else { throw Failure() }
    X509_set_version(certificate, 2)
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...1_000_000))
    X509_gmtime_adj(X509_getm_notBefore(certificate), begins)
    X509_gmtime_adj(X509_getm_notAfter(certificate), ends)
    let subject = X509_get_subject_name(certificate)
    X509_NAME_add_entry_by_txt(
      subject, "CN", 0x1001, Array(name.utf8), Int32(name.utf8.count), -1, 0)
    X509_set_issuer_name(certificate, signer.map { X509_get_subject_name($0.0) } ?? subject)
    X509_set_pubkey(certificate, key)
    for (kind, value) in extensions {
      let known = X509V3_EXT_conf_nid(nil, nil, kind, value)
      X509_add_ext(certificate, known, -1)
      X509_EXTENSION_free(known)
    }
    guard X509_sign(certificate, signer?.1 ?? key, EVP_sha256()) > 0 else { throw Failure() }
    return certificate
  }

  private static func pem(_ certificate: OpaquePointer) throws -> [UInt8] {
    try text { PEM_write_bio_X509($0, certificate) }
  }

  private static func text(_ write: (OpaquePointer?) -> Int32) throws -> [UInt8] {
    let file = BIO_new(BIO_s_mem())
    defer { BIO_free(file) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    guard write(file) == 1 else { throw Failure() }
    let count = BIO_read(file, &bytes, Int32(bytes.count))
    return Array(bytes.prefix(Int(count)))
  }
}
