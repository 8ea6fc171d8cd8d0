import AppStoreSimulator
import Testing

@testable import AppStoreVerification

struct Base64URLTests {
  private static func decode(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBufferPointer { Base64URL.decode($0) }
  }

  private static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    Base64URL.encode(bytes, onto: &text)
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `every length and every byte comes back`() {
    var random = SeededGenerator(seed: 1)
    for length in 0..<300 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let text = AppStoreSimulator.Base64.url(bytes)
      #expect(Self.decode(text) == bytes)
      #expect(Self.encode(bytes) == text)
    }
  }

  @Test func `text with letters beyond ASCII and the two special letters comes back`() {
    let bytes = Array("{\"name\":\"Kaffee ☕️ für Zoë ÿ>?\"}".utf8) + [0xFB, 0xEF, 0xBE, 0xFF]
    let text = Self.encode(bytes)
    #expect(text.contains("-") || text.contains("_"))
    #expect(Self.decode(text) == bytes)
  }

  @Test(arguments: [
    "A", "AAAAA", "AA==", "AAA=", "AB", "AAB", "AA+A", "AA/A", "AA A", "AA\nA", "AA.A", "é",
    "AA\u{0}A", "+A", "A/A",
  ])
  func `another form of the same bytes is refused`(text: String) {
    #expect(Self.decode(text) == nil)
  }

  @Test(
    arguments: [
      ("AA==", [0]), ("AAA=", [0, 0]), ("AAAA", [0, 0, 0]), ("+/+/", [0xFB, 0xFF, 0xBF]),
    ] as [(String, [UInt8])])
  func `certificates stand in standard base64`(text: String, bytes: [UInt8]) {
    #expect(AppStoreVerification.Base64.decode(text) == bytes)
  }

  @Test(arguments: [
    "", "A", "AA", "AAA", "A===", "====", "AB==", "AAB=", "AA=A", "-_-_", "AA==AAAA", "AAAA\n",
  ])
  func `no other form of base64 holds a certificate`(text: String) {
    #expect(AppStoreVerification.Base64.decode(text) == nil)
  }
}
