import Testing

@testable import AppStoreServerAPI

struct SigningKeyTests {
  @Test(arguments: [16 << 10, 1 << 20, 8 << 20])
  func `a file of one long line is no key`(length: Int) {
    let text = [UInt8](repeating: UInt8(ascii: "A"), count: length + 1)
    #expect(throws: SigningKeyError.unreadable) { try SigningKey(p8: text) }
  }

  @Test func `a key file is read, with any words around it`() throws {
    _ = try SigningKey(p8: TestKey.shared.p8())
    _ = try SigningKey(p8: Array("Bag Attributes\n\n".utf8) + TestKey.shared.p8())
  }

  @Test func `what is no key is refused, and nobody is asked for a password`() {
    let good = TestKey.shared.p8()
    for text in [
      [], Array("hello".utf8), Array(good.prefix(100)), TestKey.shared.p8(password: "secret"),
      Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8),
    ] {
      #expect(throws: SigningKeyError.unreadable) { try SigningKey(p8: text) }
    }
  }

  @Test func `a key on another curve is refused`() {
    #expect(throws: SigningKeyError.notP256) { try SigningKey(p8: TestKey("P-384").p8()) }
  }

  @Test func `the errors tell apart what is wrong`() {
    #expect(SigningKeyError.unreadable.description != SigningKeyError.notP256.description)
    #expect(!SigningKeyError.notP256.isTransient && !SigningKeyError.notP256.advice.isEmpty)
  }

  @Test func `a thousand signatures all verify`() throws {
    let key = try SigningKey(p8: TestKey.shared.p8())
    for number in 0..<1_000 {
      let message = Array("\(number)".utf8)
      #expect(TestKey.shared.verifies(message, try #require(key.sign(message))))
    }
  }
}
