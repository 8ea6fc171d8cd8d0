/// The SHA-256 of bytes, without a library: what apps compile in must bring none.
///
/// Source: FIPS 180-4, sections 5 and 6.2.
struct SHA256Digest {
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  private var hash: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]

  /// Shape: 32 bytes.
  static func bytes(of message: [UInt8]) -> [UInt8] {
    var digest = SHA256Digest()
    let padded = message + padding(after: message.count)
    padded.withUnsafeBufferPointer { bytes in
      var schedule = [UInt32](repeating: 0, count: 64)
      for start in stride(from: 0, to: bytes.count, by: 64) {
        digest.absorb(UnsafeBufferPointer(rebasing: bytes[start..<start + 64]), &schedule)
      }
    }
    return digest.hash.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// A one, zeroes, and the length in bits, so that whole blocks come out.
  private static func padding(after count: Int) -> [UInt8] {
    let zeroes = (119 - count % 64) % 64
    let length = UInt64(count) * 8
    return [0x80] + [UInt8](repeating: 0, count: zeroes)
      + (0..<8).map { UInt8(truncatingIfNeeded: length >> UInt64(56 - 8 * $0)) }
  }

  private mutating func absorb(_ block: UnsafeBufferPointer<UInt8>, _ schedule: inout [UInt32]) {
    Self.expand(block, into: &schedule)
    var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
    var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
    for round in 0..<64 {
      let first = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
      let choice = (e & f) ^ (~e & g)
      let one = h &+ first &+ choice &+ Self.constants[round] &+ schedule[round]
      let second = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
      let two = second &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
    }
    for (place, word) in [a, b, c, d, e, f, g, h].enumerated() { hash[place] &+= word }
  }

  private static func expand(
    _ block: UnsafeBufferPointer<UInt8>, into schedule: inout [UInt32]
  ) {
    for place in 0..<16 {
      let start = place * 4
      schedule[place] =
        UInt32(block[start]) << 24 | UInt32(block[start + 1]) << 16
        | UInt32(block[start + 2]) << 8 | UInt32(block[start + 3])
    }
    for place in 16..<64 {
      let near = schedule[place - 2]
      let far = schedule[place - 15]
      let one = rotate(far, 7) ^ rotate(far, 18) ^ (far >> 3)
      let two = rotate(near, 17) ^ rotate(near, 19) ^ (near >> 10)
      schedule[place] = schedule[place - 16] &+ one &+ schedule[place - 7] &+ two
    }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }
}
