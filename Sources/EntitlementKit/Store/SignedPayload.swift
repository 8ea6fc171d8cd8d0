package import AppStoreModel

/// Reads what was signed out of a JWS whose signature StoreKit has checked.
package enum SignedPayload {
  /// The JSON of the middle part; `nil` where the text has another form.
  package static func json(of jws: String) -> [UInt8]? {
    let parts = jws.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    return decoded(parts[1])
  }

  package static func transaction(_ json: [UInt8]) -> JWSTransactionDecodedPayload? {
    json.withUnsafeBufferPointer { try? JWSTransactionDecodedPayload(json: $0) }
  }

  package static func renewal(_ json: [UInt8]) -> JWSRenewalInfoDecodedPayload? {
    json.withUnsafeBufferPointer { try? JWSRenewalInfoDecodedPayload(json: $0) }
  }

  /// Base64 with the alphabet of RFC 4648, section 5, without padding.
  private static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text {
      guard let value = value(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
