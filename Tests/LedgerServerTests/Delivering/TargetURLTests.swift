import Testing

@testable import LedgerServer

struct TargetURLTests {
  static let refused: [(text: String, isTrusted: Bool, reason: TargetURL.Refusal)] = [
    ("", false, .unreadable), ("https://", false, .unreadable), ("nonsense", false, .unreadable),
    ("https://a b/", false, .unreadable), ("https://example.com/\n", false, .unreadable),
    ("https://ex\u{E4}mple.com/", false, .unreadable),
    ("https://example.com/" + String(repeating: "x", count: 2_048), false, .tooLong),
    ("http://example.com/", false, .notHTTPS), ("ftp://example.com/", true, .notHTTPS),
    ("file:///etc/passwd", true, .unreadable), ("gopher://example.com/", true, .notHTTPS),
    ("https://user@example.com/", false, .holdsCredentials),
    ("https://user:word@example.com/", true, .holdsCredentials),
    ("https://example.com/#part", false, .holdsFragment),
    ("https://127.0.0.1/", false, .forbiddenAddress),
    ("https://2130706433/", false, .forbiddenAddress),
    ("https://0x7f000001/", false, .forbiddenAddress),
    ("https://0177.1/", false, .forbiddenAddress),
    ("https://[::1]/", false, .forbiddenAddress),
    ("https://[::ffff:10.0.0.1]/", false, .forbiddenAddress),
    ("https://169.254.169.254/latest", true, .forbiddenAddress),
    ("https://[fe80::1%25eth0]/", true, .forbiddenAddress),
    ("https://224.0.0.1/", true, .forbiddenAddress),
  ]

  @Test(arguments: refused)
  func `an address that nothing may be sent to is refused when it is stated`(
    text: String, isTrusted: Bool, reason: TargetURL.Refusal
  ) {
    #expect(throws: reason) { try TargetURL(text, isTrusted: isTrusted) }
  }

  @Test(arguments: [
    ("https://example.com/hooks?x=1", false), ("https://example.com:8443", false),
    ("https://8.8.8.8/", false), ("https://[2606:4700:4700::1111]/", false),
    ("http://127.0.0.1:9000/hook", true), ("http://localhost/", true),
    ("https://10.0.0.1/", true), ("HTTPS://EXAMPLE.COM/", false),
  ])
  func `a good address is kept as it was written`(text: String, isTrusted: Bool) throws {
    #expect(try TargetURL(text, isTrusted: isTrusted).text == text)
  }
}
