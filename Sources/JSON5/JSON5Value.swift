/// A value of a JSON5 file, with its place.
///
/// Source: the JSON5 specification, version 1.0.0. `Infinity` and `NaN` are refused.
public struct JSON5Value: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    case string(String)
    case array([JSON5Value])
    /// Members in the order in which they stand; no name stands twice.
    case object([Member])
  }

  /// A member of an object; the place is that of its name.
  public struct Member: Hashable, Sendable {
    public let name: String
    public let place: Place
    public let value: JSON5Value
  }

  public let content: Content
  public let place: Place

  /// Reads a whole file.
  ///
  /// Errors: ``JSON5Error`` at the first byte that does not fit.
  public init(text: [UInt8]) throws(JSON5Error) {
    guard let whole = String(validating: text) else {
      throw JSON5Error(place: Place(line: 1, column: 1), problem: "the file is not UTF-8")
    }
    var parser = JSON5Parser(whole)
    self = try parser.document()
  }

  init(_ content: Content, at place: Place) {
    self.content = content
    self.place = place
  }

  /// What kind of value it is, for error messages.
  var kind: String {
    switch content {
    case .null: "null"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension String {
  /// The text of bytes that are UTF-8, without a byte order mark.
  fileprivate init?(validating bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  }
}
