import HTTPListener
import Testing

struct RequestTargetTests {
  @Test(arguments: [
    ("/", [], []),
    ("/v1/events", ["v1", "events"], []),
    ("/v1//events/", ["v1", "", "events", ""], []),
    ("/a%2Fb/%C3%A9%7e", ["a/b", "é~"], []),
    ("/a+b", ["a+b"], []),
    ("/a?", ["a"], []),
    ("/a?b=1&c=%26+d&&b=2&e&f=", ["a"], ["b=1", "c=& d", "b=2", "e=", "f="]),
    ("/a?b=c=d?e/f", ["a"], ["b=c=d?e/f"]),
  ])
  func `a target has its segments and its query`(
    _ raw: String, _ segments: [String], _ query: [String]
  ) throws {
    let target = try #require(RequestTarget(raw))
    #expect(target.segments == segments)
    #expect(target.query.map { "\($0.name)=\($0.value)" } == query)
  }

  @Test(arguments: [
    "", "?a=b", "a/b", "*", "http://host/a", "/%", "/%4", "/%4g", "/%G4", "/%00", "/%C3",
    "/%ED%A0%80", "/%C0%AF",
    "/a?b=%", "/a?%ff=1", "/a?b=%00",
  ])
  func `what cannot be read is no target`(_ raw: String) {
    #expect(RequestTarget(raw) == nil)
  }
}
