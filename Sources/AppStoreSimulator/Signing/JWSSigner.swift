/// Signs payloads as the App Store does: compact JWS, ES256.
///
/// Source: RFC 7515, section 7.1; RFC 7518, section 3.4.
package struct JWSSigner: Sendable {
  private let key: PrivateKey
  private let header: String
  /// What the authority was made from, absent for a key of its own.
  let seed: UInt64?

  /// Signs with a leaf's key, under a header of its own.
  package init(key: PrivateKey, header: JWSHeader) {
    self.init(key: key, header: header, seed: nil)
  }

  private init(key: PrivateKey, header: JWSHeader, seed: UInt64?) {
    self.key = key
    self.header = Base64.url(header.json)
    self.seed = seed
  }

  /// Signs as the leaf of this authority.
  package init(_ authority: CertificateAuthority) {
    self.init(
      key: authority.leaf.key, header: JWSHeader(chain: authority.chain), seed: authority.seed)
  }

  /// Shape: three Base64 URL segments with dots between them.
  package func sign(_ payload: [UInt8], _ form: SignatureForm = .raw) -> String {
    let signed = header + "." + Base64.url(payload)
    return signed + "." + Base64.url(form.signature(Array(signed.utf8), key))
  }
}
