import CCrypto

@testable import AppStoreServerAPI

/// A key made for one run.
final class TestKey: @unchecked Sendable {
  static let shared = TestKey("P-256")

  private let key: OpaquePointer?

  init(_ curve: String) {
    let nid = curve == "P-256" ? NID_X9_62_prime256v1 : NID_secp384r1
    let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    EVP_PKEY_keygen_init(context)
    EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, nid)
    EVP_PKEY_keygen(context, &key)
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  /// The text of a `.p8` file; encrypted if there is a password.
  func p8(password: String? = nil) -> [UInt8] {
    let file = BIO_new(BIO_s_mem())
    defer { BIO_free(file) }
    if let password {
      var bytes = password.utf8.map { CChar(bitPattern: $0) }
      PEM_write_bio_PKCS8PrivateKey(
        file, key, EVP_aes_256_cbc(), &bytes, Int32(bytes.count), nil, nil)
    } else {
      PEM_write_bio_PKCS8PrivateKey(file, key, nil, nil, 0, nil, nil)
    }
    var text = [UInt8](repeating: 0, count: 4_096)
    let count = BIO_read(file, &text, Int32(text.count))
    return Array(text.prefix(Int(count)))
  }

  /// Signs a certificate and names its key.
  func sign(_ certificate: OpaquePointer?) {
    X509_set_pubkey(certificate, key)
    X509_sign(certificate, key, EVP_sha256())
  }

  /// Whether a token's signature is this key's.
  func verifies(_ message: [UInt8], _ raw: [UInt8]) -> Bool {
    let signature = ECDSA_SIG_new()
    defer { ECDSA_SIG_free(signature) }
    ECDSA_SIG_set0(
      signature, BN_bin2bn(Array(raw.prefix(32)), 32, nil),
      BN_bin2bn(Array(raw.suffix(32)), 32, nil))
    var der: UnsafeMutablePointer<UInt8>?
    let count = i2d_ECDSA_SIG(signature, &der)
    defer { CRYPTO_free(der, "", 0) }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key)
    return EVP_DigestVerify(context, der, Int(count), message, message.count) == 1
  }
}

extension AppCredentials {
  static func sample(_ bundleId: String = "com.example.app") throws -> AppCredentials {
    AppCredentials(
      bundleId: bundleId, issuerId: "57246542-96fe-1a63-e053-0824d011072a", keyId: "2X9R4HXF34",
      key: try SigningKey(p8: TestKey.shared.p8()))
  }
}
