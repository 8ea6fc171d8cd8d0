import AppStoreSimulator
import Testing

struct Base64Tests {
  @Test(arguments: [
    ("", "", ""),
    ("f", "Zg==", "Zg"),
    ("fo", "Zm8=", "Zm8"),
    ("foo", "Zm9v", "Zm9v"),
    ("foob", "Zm9vYg==", "Zm9vYg"),
    ("fooba", "Zm9vYmE=", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
  ])
  func `the published texts come out`(plain: String, standard: String, url: String) {
    #expect(Base64.standard(Array(plain.utf8)) == standard)
    #expect(Base64.url(Array(plain.utf8)) == url)
  }

  @Test func `only the last two letters differ`() {
    #expect(Base64.standard([0xFB, 0xFF]) == "+/8=")
    #expect(Base64.url([0xFB, 0xFF]) == "-_8")
  }
}
