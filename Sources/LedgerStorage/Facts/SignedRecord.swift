package import AppStoreModel
import EntitlementLedger

/// A verified JWS in the pieces it is kept in, with every verified JWS inside it.
package struct SignedRecord: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case notification, transaction, renewalInfo, appTransaction
  }

  package let kind: Kind
  /// The header as it stands in the compact form: ASCII, without the dot.
  package let headerSegment: [UInt8]
  /// The SHA-256 of `headerSegment`.
  package let headerSHA256: [UInt8]
  /// The decoded payload, UTF-8.
  package let payload: [UInt8]
  /// The decoded signature.
  package let signature: [UInt8]
  /// The moment that its certificates were judged at.
  package let judgedAt: Timestamp
  /// In the order in which they stand in the payload.
  package let parts: [SignedRecord]
  /// Names it by its bytes: SHA-256, 32 bytes.
  let sha256: [UInt8]

  package init(
    kind: Kind, headerSegment: [UInt8], headerSHA256: [UInt8], payload: [UInt8],
    signature: [UInt8], judgedAt: Timestamp, parts: [SignedRecord] = []
  ) {
    self.kind = kind
    self.headerSegment = headerSegment
    self.headerSHA256 = headerSHA256
    self.payload = payload
    self.signature = signature
    self.judgedAt = judgedAt
    self.parts = parts
    sha256 = Fingerprint(hashing: headerSHA256 + signature + payload).bytes
  }

  /// The JWS as it was received.
  package func compactForm() -> [UInt8] {
    var text = headerSegment
    text.reserveCapacity(text.count + (payload.count + signature.count) * 4 / 3 + 6)
    text.append(UInt8(ascii: "."))
    Base64URLText.append(payload, to: &text)
    text.append(UInt8(ascii: "."))
    Base64URLText.append(signature, to: &text)
    return text
  }
}
