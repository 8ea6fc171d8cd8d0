internal import CCrypto

extension PrivateKey {
  /// The key as App Store Connect hands it out: the text of a `.p8` file.
  ///
  /// Source: RFC 5958; RFC 5915; RFC 7468, section 10.
  package var pem: String {
    let point = DER.tagged(0xA1, DER.bits(publicPoint))
    let inner = DER.sequence(DER.integer([1]), DER.octets(scalar), point)
    let algorithm = DER.sequence(
      DER.objectIdentifier("1.2.840.10045.2.1"), DER.objectIdentifier(curve.objectIdentifier))
    let whole = DER.sequence(DER.integer([0]), algorithm, DER.octets(inner))
    let text = Array(Base64.standard(whole))
    let lines = stride(from: 0, to: text.count, by: 64).map {
      String(text[$0..<min($0 + 64, text.count)])
    }
    let body = lines.joined(separator: "\n")
    return "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"
  }

  /// Whether this key made a signature.
  ///
  /// - Parameters:
  ///   - signature: `r` and `s`, each as wide as the curve's order.
  ///   - message: what was signed.
  ///   - digest: the hash function.
  /// - Returns: also `false` for a signature of another form.
  package func isSignature(_ signature: [UInt8], of message: [UInt8], _ digest: Digest) -> Bool {
    guard signature.count == 2 * curve.byteCount, let pair = ECDSA_SIG_new() else { return false }
    defer { ECDSA_SIG_free(pair) }
    let width = Int32(curve.byteCount)
    let r = signature.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, width, nil) }
    let s = Array(signature.suffix(curve.byteCount)).withUnsafeBufferPointer {
      BN_bin2bn($0.baseAddress, width, nil)
    }
    guard ECDSA_SIG_set0(pair, r, s) == 1 else { return false }
    let hash = digest.hash(message)
    return ECDSA_do_verify(hash, Int32(hash.count), pair, key) == 1
  }
}
