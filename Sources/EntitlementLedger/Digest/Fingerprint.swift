#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A SHA-256, compared byte by byte.
package struct Fingerprint: Hashable, Comparable, Sendable {
  package let bytes: [UInt8]

  package init(of bytes: [UInt8]) {
    #if canImport(CryptoKit)
      self.bytes = Array(SHA256.hash(data: bytes))
    #else
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
      SHA256(bytes, bytes.count, &digest)
      self.bytes = digest
    #endif
  }

  /// Shape: 64 lower-case digits.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  package static func < (left: Fingerprint, right: Fingerprint) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
