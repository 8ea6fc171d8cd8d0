/// The third segment of a JWS: the right one, and the wrong ones that a receiver must refuse.
package enum SignatureForm: Sendable {
  /// `r` and `s`, 32 bytes each.
  case raw
  /// Right numbers in the form that certificates use.
  case der
  case empty
  /// 64 zero bytes.
  case zero
  /// The last byte is missing.
  case cut
  /// One byte too many.
  case longer
  /// One bit is wrong.
  case flipped
  /// An HMAC with a key that is public.
  case hmac(key: [UInt8])

  func signature(_ signed: [UInt8], _ key: PrivateKey) -> [UInt8] {
    if case .hmac(let secret) = self { return Digest.sha256.authenticate(signed, key: secret) }
    let raw = key.sign(signed, .sha256)
    switch self {
    case .raw, .hmac: return raw
    case .der: return ECDSASignature.der(raw)
    case .empty: return []
    case .zero: return [UInt8](repeating: 0, count: raw.count)
    case .cut: return raw.dropLast()
    case .longer: return raw + [0]
    case .flipped: return Array(raw[..<40]) + [raw[40] ^ 1] + raw[41...]
    }
  }
}
