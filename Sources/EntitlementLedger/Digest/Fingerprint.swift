#if canImport(CryptoKit)
  import CryptoKit
#endif

/// A SHA-256, compared byte by byte.
package struct Fingerprint: Hashable, Comparable, Sendable {
  package let bytes: [UInt8]

  /// Hashes with what every system brings; a server's storage has a faster way.
  package init(of bytes: [UInt8]) {
    #if canImport(CryptoKit)
      self.bytes = Array(SHA256.hash(data: bytes))
    #else
      self.bytes = SHA256Digest.bytes(of: bytes)
    #endif
  }

  /// Takes a SHA-256 that was computed elsewhere.
  package init(digest: [UInt8]) {
    precondition(digest.count == 32, "A SHA-256 has 32 bytes.")
    bytes = digest
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
