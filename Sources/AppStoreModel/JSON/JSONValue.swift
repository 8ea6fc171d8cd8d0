/// Any JSON value, for the places that cannot know its shape.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number that is not whole or does not fit 64 bits, as it was written.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// Members in the order in which they stood.
  case object([Member])

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package init(json: [UInt8]) throws(MalformedPayload) {
    let result: Result<JSONValue, MalformedPayload> = json.withUnsafeBufferPointer { bytes in
      Result { () throws(MalformedPayload) in
        var reader = JSONReader(bytes)
        let value = try reader.value()
        try reader.end()
        return value
      }
    }
    self = try result.get()
  }

  /// The value of an object's member; `nil` when it is absent or this is no object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let number): writer.integer(number)
    case .number(let text): writer.raw(text.utf8)
    case .string(let text): writer.string(text)
    case .array(let values):
      writer.array { writer in
        for value in values { value.write(to: &writer) }
      }
    case .object(let members):
      writer.object { writer in
        for member in members {
          writer.name(member.name)
          member.value.write(to: &writer)
        }
      }
    }
  }

  /// Its JSON text without white space, UTF-8.
  package var json: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

extension JSONReader {
  package mutating func value() throws(MalformedPayload) -> JSONValue {
    guard let first = peek() else { throw failure(.notJSON(expected: "a value")) }
    switch first {
    case UInt8(ascii: "{"): return .object(try members())
    case UInt8(ascii: "["): return .array(try elements())
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try bool())
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default: return try numberValue()
    }
  }

  private mutating func members() throws(MalformedPayload) -> [JSONValue.Member] {
    try beginObject()
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    var first = true
    while let range = try nextMember(first: &first) {
      let name = try text(of: range)
      guard names.insert(name).inserted else { throw failure(.duplicateMember) }
      members.append(JSONValue.Member(name, try value()))
    }
    return members
  }

  private mutating func elements() throws(MalformedPayload) -> [JSONValue] {
    try beginArray()
    var values: [JSONValue] = []
    var first = true
    while try nextElement(first: &first) { values.append(try value()) }
    return values
  }

  private mutating func numberValue() throws(MalformedPayload) -> JSONValue {
    let text = String(decoding: bytes[try skipValue()], as: UTF8.self)
    return Int64(text).map(JSONValue.integer) ?? .number(text)
  }
}
