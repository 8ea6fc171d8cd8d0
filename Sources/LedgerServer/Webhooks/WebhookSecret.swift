import CCrypto

/// What the deliveries of one endpoint are signed with, known to us and the receiver.
///
/// Shape: `whsec_` and base64 of 24 to 64 bytes.
///
/// Source: Standard Webhooks, "Signature scheme".
struct WebhookSecret: Hashable, Sendable {
  static let prefix = "whsec_"
  static let allowedLengths = 24...64

  let bytes: [UInt8]

  /// - Returns: `nil` for bytes too few or too many.
  init?(bytes: [UInt8]) {
    guard Self.allowedLengths.contains(bytes.count) else { return nil }
    self.bytes = bytes
  }

  /// 32 bytes of chance; `nil` when the system has none to give.
  static func fresh() -> WebhookSecret? {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { return nil }
    return WebhookSecret(bytes: bytes)
  }

  /// As the receiver keeps it.
  var text: String { Self.prefix + Base64Text.text(bytes) }
}

/// Writes bytes as base64 with padding.
///
/// Source: RFC 4648 section 4.
enum Base64Text {
  static func text(_ bytes: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
    return String(decoding: text[..<Int(count)], as: UTF8.self)
  }
}
