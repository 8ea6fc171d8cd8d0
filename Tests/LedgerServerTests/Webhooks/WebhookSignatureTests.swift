import AppStoreModel
import CCrypto
import Testing

@testable import LedgerServer

struct WebhookSignatureTests {
  private static let sentAt = Timestamp(millisecondsSince1970: 1_614_265_330_999)
  private static let body = Array(#"{"test": 2432232314}"#.utf8)

  private static func bytes(_ base64: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: base64.utf8.count)
    let count = EVP_DecodeBlock(&bytes, Array(base64.utf8), Int32(base64.utf8.count))
    let padding = base64.utf8.count { $0 == UInt8(ascii: "=") }
    return Array(bytes[..<(Int(count) - padding)])
  }

  // The example of the Standard Webhooks libraries' own tests.
  @Test func `a signature is what the standard's own example says`() {
    let secret = Self.bytes("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    let signature = WebhookSignature(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", sentAt: Self.sentAt, body: Self.body,
      secrets: [secret])
    #expect(
      signature.headers == [
        "webhook-id: msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp: 1614265330",
        "webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      ])
  }

  @Test func `two secrets give two signatures, the newer first`() {
    let old = [UInt8](repeating: 1, count: 24)
    let new = [UInt8](repeating: 2, count: 64)
    func value(_ secrets: [[UInt8]]) -> String {
      WebhookSignature(id: "m", sentAt: Self.sentAt, body: Self.body, secrets: secrets).value
    }
    #expect(value([new, old]) == value([new]) + " " + value([old]))
    #expect(value([new]) != value([old]))
  }

  @Test func `a signature covers id, time and body`() {
    let secret = [UInt8](repeating: 1, count: 32)
    func value(_ id: String, _ seconds: Int64, _ body: String) -> String {
      WebhookSignature(
        id: id, sentAt: Timestamp(millisecondsSince1970: seconds * 1_000),
        body: Array(body.utf8), secrets: [secret]
      ).value
    }
    let all = Set([value("a", 1, "x"), value("b", 1, "x"), value("a", 2, "x"), value("a", 1, "y")])
    #expect(all.count == 4)
  }

  @Test func `a secret is 24 to 64 bytes, and each fresh one another`() throws {
    #expect(WebhookSecret(bytes: [UInt8](repeating: 0, count: 23)) == nil)
    #expect(WebhookSecret(bytes: [UInt8](repeating: 0, count: 65)) == nil)
    let least = try #require(WebhookSecret(bytes: [UInt8](repeating: 0, count: 24)))
    #expect(least.text == "whsec_" + String(repeating: "A", count: 32))
    let fresh = try (0..<8).map { _ in try #require(WebhookSecret.fresh()).text }
    #expect(Set(fresh).count == 8)
    for text in fresh { #expect(Self.bytes(String(text.dropFirst(6))).count == 32) }
  }
}
