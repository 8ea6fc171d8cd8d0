import CCrypto

/// SHA-256 over bytes, and the state after a prefix that many texts share.
struct SHA256Digest {
  private var state = SHA256_CTX()

  init() {
    SHA256_Init(&state)
  }

  mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    SHA256_Update(&state, bytes.baseAddress, bytes.count)
  }

  mutating func finish(into digest: UnsafeMutablePointer<UInt8>) {
    SHA256_Final(digest, &state)
  }
}

extension SHA256Digest {
  static func bytes(of text: [UInt8]) -> [UInt8] {
    var digest = SHA256Digest()
    text.withUnsafeBufferPointer { digest.update($0) }
    return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      digest.finish(into: base)
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }

  static func hexadecimal(of text: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let out = bytes(of: text).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: out, as: UTF8.self)
  }
}
