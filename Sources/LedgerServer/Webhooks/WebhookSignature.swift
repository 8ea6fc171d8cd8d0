import AppStoreModel
import CCrypto

/// The headers by which a receiver knows that a delivery is ours, whole, and fresh.
///
/// Source: Standard Webhooks, "Webhook headers" and "Signature scheme".
struct WebhookSignature: Hashable, Sendable {
  /// The same for every attempt at one event.
  let id: String
  let timestamp: Int64
  /// Shape: `v1,` and base64, one for each secret, parted by spaces.
  let value: String

  /// Signs a body as it is sent at a moment, with every secret that counts.
  init(id: String, sentAt: Timestamp, body: [UInt8], secrets: [[UInt8]]) {
    self.id = id
    timestamp = sentAt.millisecondsSince1970 / 1_000
    let content = Array("\(id).\(timestamp).".utf8) + body
    value = secrets.map { "v1," + Base64Text.text(Self.mac($0, content)) }
      .joined(separator: " ")
  }

  /// Shape: header lines without their ends.
  var headers: [String] {
    ["webhook-id: \(id)", "webhook-timestamp: \(timestamp)", "webhook-signature: \(value)"]
  }

  /// HMAC with SHA-256.
  private static func mac(_ secret: [UInt8], _ content: [UInt8]) -> [UInt8] {
    var mac = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    HMAC(
      EVP_sha256(), secret, Int32(secret.count), content, content.count, &mac, &length)
    return mac
  }
}
