import AppStoreSimulator
import Testing

@testable import AppStoreModel

struct JSONValueTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-9223372036854775808", "9223372036854775808", "1.50", "-2e-3",
    #""a\"b\\c\n\r\t\u0001ü😀""#, "[]", "{}", #"[1,[null,{"a":"b"}],false]"#,
    #"{"z":1,"a":{"m":[]},"":null}"#,
  ])
  func `any value is written as it was read`(json: String) throws {
    #expect(try String(decoding: JSONValue(json: Array(json.utf8)).json, as: UTF8.self) == json)
  }

  @Test func `white space between values means nothing`() throws {
    let value = try JSONValue(json: Array(" \t\r\n{ \"a\" : [ 1 , 2 ] } \n".utf8))
    #expect(value == .object([.init("a", .array([.integer(1), .integer(2)]))]))
  }

  @Test func `members are found by name and kind`() throws {
    let value = try JSONValue(json: Array(#"{"text":"x","number":7,"list":[true]}"#.utf8))
    #expect(value["text"]?.string == "x")
    #expect(value["number"]?.integer == 7)
    #expect(value["list"]?.array == [.bool(true)])
    #expect(value["absent"] == nil)
    #expect(value["text"]?.integer == nil)
    #expect(value["text"]?.array == nil)
    #expect(value["number"]?.string == nil)
    #expect(value["text"]?["inner"] == nil)
  }

  @Test(arguments: [
    (#"{"a":1,"a":2}"#, MalformedPayload.Reason.duplicateMember),
    ("", .notJSON(expected: "a value")),
    ("]", .notJSON(expected: "a value")),
    ("-", .notJSON(expected: "a digit")),
    ("nul", .notJSON(expected: "null")),
    ("1 2", .notJSON(expected: "the end")),
    ("NaN", .notJSON(expected: "a value")),
    ("'a'", .notJSON(expected: "a value")),
    (String(repeating: "[", count: 1_000), .tooDeep),
    (String(repeating: #"{"a":"#, count: 1_000), .tooDeep),
  ])
  func `other text is refused`(json: String, reason: MalformedPayload.Reason) {
    let error = #expect(throws: MalformedPayload.self) {
      try JSONValue(json: Array(json.utf8))
    }
    #expect(error?.reason == reason)
  }

  @Test func `no bytes bring the reader down`() {
    var generator = SeededGenerator(seed: 11)
    let letters = Array(#"{}[]",:\u0eE+-.1tfn ü"#.utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        letters.randomElement(using: &generator) ?? 0
      }
      guard let value = try? JSONValue(json: bytes) else { continue }
      #expect((try? JSONValue(json: value.json)) == value)
    }
  }
}

struct JSONWriterTests {
  @Test func `members are written in the order of the calls`() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("text", "a\u{1F}\u{8}")
      writer.member("number", -5)
      writer.member("flag", true)
      writer.member("absentText", nil as String?)
      writer.member("absentNumber", nil as Int64?)
      writer.member("absentFlag", nil as Bool?)
      writer.name("list")
      writer.array { writer in
        writer.null()
        writer.bool(false)
        writer.object { _ in }
        writer.raw("1.5".utf8)
      }
    }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"text":"a\u001f\u0008","number":-5,"flag":true,"list":[null,false,{},1.5]}"#)
  }

  @Test func `an object that was written can be written on`() {
    var empty = JSONWriter()
    empty.object { _ in }
    #expect(empty.extended { $0.member("a", 1) }.bytes == Array(#"{"a":1}"#.utf8))
    var whole = JSONWriter()
    whole.object { $0.member("a", 1) }
    let longer = whole.extended { $0.member("b", "c") }
    #expect(longer.bytes == Array(#"{"a":1,"b":"c"}"#.utf8))
    #expect(whole.bytes == Array(#"{"a":1}"#.utf8))
  }
}
