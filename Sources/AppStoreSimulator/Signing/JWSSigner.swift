/// Signs payloads as the App Store does: compact JWS, ES256.
///
/// Source: RFC 7515, section 7.1; RFC 7518, section 3.4.
package struct JWSSigner: Sendable {
  private let key: PrivateKey
  private let header: String

  /// Signs with a leaf's key, under a header of its own.
  package init(key: PrivateKey, header: JWSHeader) {
    self.key = key
    self.header = Base64.url(header.json)
  }

  /// Signs as the leaf of this authority.
  package init(_ authority: CertificateAuthority) {
    self.init(key: authority.leaf.key, header: JWSHeader(chain: authority.chain))
  }

  /// Shape: three Base64 URL segments with dots between them.
  package func sign(_ payload: [UInt8], _ form: SignatureForm = .raw) -> String {
    let signed = header + "." + Base64.url(payload)
    return signed + "." + Base64.url(form.signature(Array(signed.utf8), key))
  }
}
