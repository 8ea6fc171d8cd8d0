import Testing

@testable import JSON5

struct JSON5ValueTests {
  @Test func `a file is read as people write it`() throws {
    let value = try parse(
      """
      // a comment
      {
        name: 'Größe "x"', "quoted": "a\\u0041\\x42\\t\\
      b", /* and
      another */ $n_1: [1, +2, -3, 0x1F, .5, 5., 1e3,],
        yes: true, no: false, none: null,
      }
      """)
    let object = try JSON5Object(value)
    #expect(object.names == ["name", "quoted", "$n_1", "yes", "no", "none"])
    #expect(try object.string("name") == "Größe \"x\"")
    #expect(try object.string("quoted") == "aAB\tb")
    #expect(try object.bool("yes") == true)
    #expect(try object.bool("no") == false)
    #expect(try object.bool("none") == nil)
    #expect(object.place(of: "yes") == Place(line: 6, column: 3))
    #expect(object.place(of: "absent") == Place(line: 2, column: 1))
  }

  @Test(
    arguments: [
      ("1", .integer(1)), ("+2", .integer(2)), ("-3", .integer(-3)), ("0x1F", .integer(31)),
      ("-0x10", .integer(-16)), (".5", .number(0.5)), ("-5.", .number(-5)), ("1e3", .number(1_000)),
      ("0", .integer(0)), ("1.5E-1", .number(0.15)), ("9223372036854775807", .integer(.max)),
    ] as [(String, JSON5Value.Content)])
  func `a number is read`(text: String, content: JSON5Value.Content) throws {
    #expect(try parse(text).content == content)
  }

  @Test(arguments: [
    (#"'\n\r\b\f\v\0\q\'\"'"#, "\n\r\u{8}\u{C}\u{B}\0q'\""), (#""\ud83d\ude00""#, "😀"),
    ("'a\\\r\nb'", "ab"),
  ])
  func `text is read with its escapes`(text: String, wanted: String) throws {
    #expect(try parse(text).content == .string(wanted))
  }

  @Test(arguments: [
    ("", 1, 1, "expected a value, found the end of the file"),
    ("{a:1} x", 1, 7, "expected the end of the file, found “x”"),
    ("{\n  a: nope}", 2, 6, "nope needs quotes to be text"),
    ("{a:1,\n a:2}", 2, 2, "a stands twice in this object"),
    ("{a 1}", 1, 4, "expected a colon after a, found “1”"),
    ("{a:1 b:2}", 1, 6, "expected a comma or }, found “b”"),
    ("{,}", 1, 2, "expected a name or }, found “,”"),
    ("[1 2]", 1, 4, "expected a comma or ], found “2”"),
    ("'open", 1, 1, "this text has no closing quote"),
    ("'a\nb'", 1, 1, "this text has no closing quote"),
    ("'\\", 1, 1, "this text has no closing quote"),
    ("'\\xZ0'", 1, 4, "expected 2 hexadecimal digits, found “Z”"),
    ("'\\ud800'", 1, 8, "half of a surrogate pair"),
    ("'\\ud800\\u0041'", 1, 14, "half of a surrogate pair"),
    ("'\\1'", 1, 3, "digits cannot be escaped"),
    ("Infinity", 1, 1, "Infinity needs quotes to be text"),
    ("-Infinity", 1, 1, "-Infinity is not a finite number"),
    ("01", 1, 1, "01 is not a finite number"),
    ("0xZ", 1, 1, "0xZ is not a finite number"),
    ("1e999", 1, 1, "1e999 is not a finite number"),
    ("+-1", 1, 1, "+ is not a finite number"),
    ("/ x", 1, 1, "expected // or /*"),
    ("/* open", 1, 1, "this comment has no end"),
  ])
  func `what is wrong is named with its place`(
    text: String, line: Int, column: Int, problem: String
  ) {
    #expect(
      throws: JSON5Error(place: Place(line: line, column: column), problem: problem)
    ) { try parse(text) }
  }

  @Test func `deep nesting is refused`() {
    let error = #expect(throws: JSON5Error.self) {
      try parse(String(repeating: "[", count: 10_000))
    }
    #expect(error?.problem == "nested too deeply")
  }

  @Test func `a file that is not UTF-8 is refused`() {
    let error = #expect(throws: JSON5Error.self) { try JSON5Value(text: [0x7B, 0xFF]) }
    #expect(error?.problem == "the file is not UTF-8")
  }

  @Test func `a byte order mark is passed over`() throws {
    #expect(try parse("\u{FEFF}1").content == .integer(1))
  }
}

func parse(_ text: String) throws -> JSON5Value {
  try JSON5Value(text: Array(text.utf8))
}
