/// A JWS in the pieces that a store keeps; they make its compact form again, byte for byte.
public struct SignedText: Hashable, Sendable {
  /// The header, the same for everything that one certificate signed.
  public struct Header: Hashable, Sendable {
    /// The header segment as it stands in the compact form: ASCII, without the dot.
    public let segment: [UInt8]
    /// The SHA-256 of `segment`, 32 bytes: names it where headers are kept once.
    public let sha256: [UInt8]

    public init(segment: [UInt8]) {
      self.segment = segment
      sha256 = SHA256Digest.bytes(of: segment)
    }
  }

  public let header: Header
  /// The decoded payload: JSON in UTF-8.
  public let payload: [UInt8]
  /// The decoded signature: 64 bytes, r and s.
  public let signature: [UInt8]

  public init(header: Header, payload: [UInt8], signature: [UInt8]) {
    self.header = header
    self.payload = payload
    self.signature = signature
  }

  /// The JWS as it was received: base64url has one form only, so nothing is lost.
  public func compactForm() -> [UInt8] {
    var text = header.segment
    text.reserveCapacity(header.segment.count + (payload.count + signature.count) * 4 / 3 + 6)
    text.append(UInt8(ascii: "."))
    Base64URL.encode(payload, onto: &text)
    text.append(UInt8(ascii: "."))
    Base64URL.encode(signature, onto: &text)
    return text
  }
}
