package import AppStoreModel

/// Reads what was signed out of a JWS whose signature StoreKit has checked.
package enum SignedPayload {
  /// The JSON of the middle part; `nil` where the text has another form.
  package static func json(of jws: String) -> [UInt8]? {
    var jws = jws
    return jws.withUTF8 { text in
      guard let first = text.firstIndex(of: dot), let last = text.lastIndex(of: dot),
        first < last
      else { return nil }
      let middle = UnsafeBufferPointer(rebasing: text[(first + 1)..<last])
      return middle.contains(dot) ? nil : decoded(middle)
    }
  }

  package static func transaction(_ json: [UInt8]) -> JWSTransactionDecodedPayload? {
    json.withUnsafeBufferPointer { try? JWSTransactionDecodedPayload(json: $0) }
  }

  package static func renewal(_ json: [UInt8]) -> JWSRenewalInfoDecodedPayload? {
    json.withUnsafeBufferPointer { try? JWSRenewalInfoDecodedPayload(json: $0) }
  }

  private static let dot = UInt8(ascii: ".")

  /// Base64 with the alphabet of RFC 4648, section 5, without padding.
  private static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var isWhole = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count) { bytes, count in
      values.withUnsafeBufferPointer { values in
        var bits: UInt32 = 0
        var width: UInt32 = 0
        for byte in text {
          let value = values[Int(byte)]
          guard value < 64 else {
            isWhole = false
            return
          }
          bits = bits << 6 | UInt32(value)
          width += 6
          if width >= 8 {
            width -= 8
            bytes[count] = UInt8(truncatingIfNeeded: bits >> width)
            count += 1
          }
        }
      }
    }
    return isWhole ? bytes : nil
  }

  /// The six bits of each character; 64 for one that is none.
  private static let values: [UInt8] = {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    var values = [UInt8](repeating: 64, count: 256)
    for (value, character) in alphabet.utf8.enumerated() {
      values[Int(character)] = UInt8(value)
    }
    return values
  }()
}
