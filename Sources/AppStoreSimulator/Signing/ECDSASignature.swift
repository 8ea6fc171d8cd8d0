/// Rewrites a signature from the form of a JWS into that of a certificate.
enum ECDSASignature {
  /// Shape: a DER sequence of `r` and `s`.
  static func der(_ raw: [UInt8]) -> [UInt8] {
    let half = raw.count / 2
    return DER.sequence(DER.integer(Array(raw[..<half])), DER.integer(Array(raw[half...])))
  }
}
