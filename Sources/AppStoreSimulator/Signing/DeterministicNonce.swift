/// Chooses the secret number of an ECDSA signature from the key and the message alone, so that the
/// same seed always writes the same files.
///
/// Source: RFC 6979, section 3.2.
struct DeterministicNonce {
  private let digest: Digest
  private let width: Int
  private var k: [UInt8]
  private var v: [UInt8]

  /// Prepares the numbers for one message.
  ///
  /// - Parameters:
  ///   - digest: the hash function that hashed the message.
  ///   - key: the private key, as many bytes as the curve's order.
  ///   - hash: the message's hash, already reduced below the order and as wide as it.
  init(_ digest: Digest, key: [UInt8], hash: [UInt8]) {
    self.digest = digest
    self.width = key.count
    k = [UInt8](repeating: 0, count: digest.byteCount)
    v = [UInt8](repeating: 1, count: digest.byteCount)
    stir(0, key + hash)
    stir(1, key + hash)
  }

  /// The next candidate; the caller skips what is not in `1..<order`.
  mutating func next() -> [UInt8] {
    var candidate: [UInt8] = []
    while candidate.count < width {
      v = digest.authenticate(v, key: k)
      candidate += v
    }
    return Array(candidate.prefix(width))
  }

  /// Moves on after a candidate that did not serve.
  mutating func reject() { stir(0, []) }

  private mutating func stir(_ mark: UInt8, _ bytes: [UInt8]) {
    k = digest.authenticate(v + [mark] + bytes, key: k)
    v = digest.authenticate(v, key: k)
  }
}
