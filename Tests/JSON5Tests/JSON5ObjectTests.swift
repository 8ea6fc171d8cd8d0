import Testing

@testable import JSON5

struct JSON5ObjectTests {
  private let text = """
    {
      text: 'a', flag: true, count: 5, list: ['x', 'y'],
      apps: [{ bundleId: 'com.example' }], inner: { deep: 'z' },
    }
    """

  @Test func `members are read by name and kind`() throws {
    let object = try JSON5Object(try parse(text))
    #expect(try object.string("text") == "a")
    #expect(try object.bool("flag") == true)
    #expect(try object.integer("count", in: 1...5) == 5)
    #expect(try object.strings("list") == ["x", "y"])
    #expect(try object.objects("apps")?.first?.string("bundleId") == "com.example")
    #expect(try object.object("inner")?.string("deep") == "z")
    #expect(try object.required("text", object.string("text")) == "a")
    #expect(try object.string("absent") == nil)
    #expect(try object.bool("absent") == nil)
    #expect(try object.integer("absent") == nil)
    #expect(try object.object("absent") == nil)
    #expect(try object.objects("absent") == nil)
    #expect(try object.strings("absent") == nil)
  }

  /// One way to read a member, and the refusal it must end in.
  struct Misuse: Sendable {
    let message: String
    let read: @Sendable (JSON5Object) throws -> Void

    init(_ message: String, _ read: @escaping @Sendable (JSON5Object) throws -> Void) {
      self.message = message
      self.read = read
    }
  }

  static let misuses = [
    Misuse("line 2, column 20: flag: expected text, found true or false") {
      _ = try $0.string("flag")
    },
    Misuse("line 2, column 33: count: expected true or false, found a number") {
      _ = try $0.bool("count")
    },
    Misuse("line 2, column 9: text: expected a whole number, found text") {
      _ = try $0.integer("text")
    },
    Misuse("line 2, column 33: count: expected 6 to 9, found 5") {
      _ = try $0.integer("count", in: 6...9)
    },
    Misuse("line 3, column 47: inner: expected a list, found an object") {
      _ = try $0.strings("inner")
    },
    Misuse("line 3, column 10: apps[0]: expected text, found an object") {
      _ = try $0.strings("apps")
    },
    Misuse("line 2, column 43: list[0]: expected an object, found text") {
      _ = try $0.objects("list")
    },
    Misuse("line 2, column 42: list: expected an object, found a list") {
      _ = try $0.object("list")
    },
    Misuse("line 3, column 22: apps[0].bundleId: expected true or false, found text") {
      _ = try $0.objects("apps")?[0].bool("bundleId")
    },
    Misuse("line 1, column 1: port: is missing") { _ = try $0.required("port", nil as Int?) },
    Misuse("line 2, column 33: count: is odd") { throw $0.refusal("count", "is odd") },
    Misuse("line 2, column 3: text: no such setting; is texts meant?") {
      try $0.allow(only: ["texts", "flags"])
    },
    Misuse("line 2, column 3: text: no such setting; there are somethingElse") {
      try $0.allow(only: ["somethingElse"])
    },
  ]

  @Test(arguments: misuses)
  func `a wrong member is named with its place and path`(misuse: Misuse) throws {
    let object = try JSON5Object(try parse(text))
    let error = #expect(throws: JSON5Error.self) { try misuse.read(object) }
    #expect(error?.description == misuse.message)
  }

  @Test func `known names pass`() throws {
    try JSON5Object(try parse("{a: 1, b: 2}")).allow(only: ["a", "b", "c"])
  }

  @Test func `only an object has members`() {
    #expect(throws: JSON5Error.self) { try JSON5Object(try parse("[]")) }
  }
}
