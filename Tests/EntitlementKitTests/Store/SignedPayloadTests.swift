import EntitlementKit
import Testing

struct SignedPayloadTests {
  @Test(arguments: [
    ("e30.e30.c2ln", "{}"), ("x.eyJhIjoxfQ.y", #"{"a":1}"#), ("a.-_8.b", "\u{FFFD}\u{FFFD}"),
    ("..", ""),
  ])
  func `the middle part of three is read`(jws: String, json: String) {
    #expect(SignedPayload.json(of: jws).map { String(decoding: $0, as: UTF8.self) } == json)
  }

  @Test(arguments: ["", ".", "a.b", "a.b.c.d", "a.e30=.b", "a.e 0.b", "a.é.b", "a.+/8.b"])
  func `a text of another form has none`(jws: String) {
    #expect(SignedPayload.json(of: jws) == nil)
  }
}
