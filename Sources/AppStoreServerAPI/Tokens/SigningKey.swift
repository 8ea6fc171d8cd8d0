import CCrypto

/// The private key that App Store Connect gave out once, as a `.p8` file.
///
/// `@unchecked Sendable`: the key is set once and only read afterwards, which libcrypto allows from
/// many threads.
public final class SigningKey: @unchecked Sendable {
  private let key: OpaquePointer

  /// Far more than a key on any curve takes; libcrypto's reader of PEM keeps a line on the stack.
  private static let greatestSize = 16 << 10

  /// Reads the text of a `.p8` file.
  ///
  /// Shape: PEM, an unencrypted PKCS #8 private key on P-256, 16 KiB at most.
  public init(p8 text: [UInt8]) throws(SigningKeyError) {
    guard text.count <= Self.greatestSize else { throw .unreadable }
    guard let file = BIO_new_mem_buf(text, Int32(clamping: text.count)) else { throw .unreadable }
    defer { BIO_free(file) }
    // Without a callback libcrypto would ask at the terminal for the password of an encrypted key.
    let key = PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil)
    ERR_clear_error()
    guard let key else { throw .unreadable }
    guard Self.isP256(key) else {
      EVP_PKEY_free(key)
      throw .notP256
    }
    self.key = key
  }

  deinit { EVP_PKEY_free(key) }

  /// Signs with ES256.
  ///
  /// Shape: 64 bytes, r and s; `nil` when libcrypto fails.
  func sign(_ message: [UInt8]) -> [UInt8]? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    var der = [UInt8](repeating: 0, count: 80)
    var count = der.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, &der, &count, message, message.count) == 1
    else { return nil }
    return Self.raw(Array(der.prefix(count)))
  }

  /// Source: RFC 7518, section 3.4.
  private static func raw(_ der: [UInt8]) -> [UInt8]? {
    der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      guard let signature = d2i_ECDSA_SIG(nil, &start, bytes.count) else { return nil }
      defer { ECDSA_SIG_free(signature) }
      var raw = [UInt8](repeating: 0, count: 64)
      let isWhole = raw.withUnsafeMutableBufferPointer { raw in
        guard let first = raw.baseAddress else { return false }
        return BN_bn2binpad(ECDSA_SIG_get0_r(signature), first, 32) == 32
          && BN_bn2binpad(ECDSA_SIG_get0_s(signature), first + 32, 32) == 32
      }
      return isWhole ? raw : nil
    }
  }

  private static func isP256(_ key: OpaquePointer) -> Bool {
    var name = [CChar](repeating: 0, count: 32)
    var length = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return false }
    return name.prefix(length).map(UInt8.init(bitPattern:)) == Array("prime256v1".utf8)
  }
}

/// Why a file is no key to ask the App Store with.
public enum SigningKeyError: Error, Hashable, Sendable {
  /// Not PEM, encrypted, or cut off.
  case unreadable
  /// A key of another kind.
  case notP256
}

extension SigningKeyError {
  /// Always false: the same file stays wrong.
  public var isTransient: Bool { false }

  /// What the operator should do next.
  public var advice: String {
    "Give the .p8 file of an In-App Purchase key, as App Store Connect let it be downloaded."
  }
}

extension SigningKeyError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable: "the key file holds no readable private key"
    case .notP256: "the key is not an elliptic-curve key on P-256"
    }
  }
}
