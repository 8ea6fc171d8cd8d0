/// Turns the text of a JSON5 file into values, and knows where it is.
struct JSON5Parser {
  static let greatestDepth = 64

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var column = 1
  private var depth = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func document() throws(JSON5Error) -> JSON5Value {
    let value = try value()
    try skipSpace()
    if next != nil { throw error("expected the end of the file, found \(found)") }
    return value
  }

  // MARK: Values

  private mutating func value() throws(JSON5Error) -> JSON5Value {
    try skipSpace()
    let place = place
    switch next {
    case "{":
      return JSON5Value(
        .object(try nested { (p) throws(JSON5Error) in try p.members() }), at: place)
    case "[":
      return JSON5Value(
        .array(try nested { (p) throws(JSON5Error) in try p.elements() }), at: place)
    case "\"", "'": return JSON5Value(.string(try string()), at: place)
    case let scalar? where scalar.isNumberStart: return JSON5Value(try number(), at: place)
    case let scalar? where scalar.isNameStart: return JSON5Value(try word(), at: place)
    default: throw error("expected a value, found \(found)")
    }
  }

  private mutating func nested<Content>(
    _ content: (inout JSON5Parser) throws(JSON5Error) -> Content
  ) throws(JSON5Error) -> Content {
    guard depth < JSON5Parser.greatestDepth else { throw error("nested too deeply") }
    depth += 1
    advance()
    let result = try content(&self)
    depth -= 1
    return result
  }

  private mutating func members() throws(JSON5Error) -> [JSON5Value.Member] {
    var members: [JSON5Value.Member] = []
    while true {
      try skipSpace()
      if take("}") { return members }
      let place = place
      let name = try name()
      if members.contains(where: { $0.name == name }) {
        throw JSON5Error(place: place, problem: "\(name) stands twice in this object")
      }
      try skipSpace()
      guard take(":") else { throw error("expected a colon after \(name), found \(found)") }
      members.append(JSON5Value.Member(name: name, place: place, value: try value()))
      try skipSpace()
      if !take(",") && next != "}" { throw error("expected a comma or }, found \(found)") }
    }
  }

  private mutating func elements() throws(JSON5Error) -> [JSON5Value] {
    var values: [JSON5Value] = []
    while true {
      try skipSpace()
      if take("]") { return values }
      values.append(try value())
      try skipSpace()
      if !take(",") && next != "]" { throw error("expected a comma or ], found \(found)") }
    }
  }

  private mutating func name() throws(JSON5Error) -> String {
    if next == "\"" || next == "'" { return try string() }
    guard let first = next, first.isNameStart else {
      throw error("expected a name or }, found \(found)")
    }
    return identifier()
  }

  private mutating func identifier() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = next, scalar.isNamePart {
      name.append(scalar)
      advance()
    }
    return String(name)
  }

  private mutating func word() throws(JSON5Error) -> JSON5Value.Content {
    let start = place
    switch identifier() {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case let other: throw JSON5Error(place: start, problem: "\(other) needs quotes to be text")
    }
  }

  // MARK: Text

  private mutating func string() throws(JSON5Error) -> String {
    let start = place
    let quote = next
    var text = String.UnicodeScalarView()
    advance()
    while let scalar = next, scalar != quote {
      guard scalar != "\n", scalar != "\r" else { break }
      advance()
      if scalar == "\\" {
        try escape(into: &text)
      } else {
        text.append(scalar)
      }
    }
    guard next == quote, next != nil else {
      throw JSON5Error(place: start, problem: "this text has no closing quote")
    }
    advance()
    return String(text)
  }

  private mutating func escape(into text: inout String.UnicodeScalarView) throws(JSON5Error) {
    guard let scalar = next else { return }
    switch scalar {
    case "u": try unicode(into: &text)
    case "x":
      advance()
      let code = try hexadecimal(digits: 2)
      text.append(Unicode.Scalar(UInt8(truncatingIfNeeded: code)))
    case "\r":
      advance()
      if next == "\n" { advance() }
    case "\n", "\u{2028}", "\u{2029}": advance()
    case "1"..."9": throw error("digits cannot be escaped")
    default:
      text.append(JSON5Parser.escapes[scalar] ?? scalar)
      advance()
    }
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}", "0": "\0",
  ]

  private mutating func unicode(into text: inout String.UnicodeScalarView) throws(JSON5Error) {
    advance()
    let high = try hexadecimal(digits: 4)
    if let scalar = Unicode.Scalar(high) {
      text.append(scalar)
      return
    }
    guard high < 0xDC00, take("\\"), take("u") else { throw error("half of a surrogate pair") }
    let low = try hexadecimal(digits: 4)
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10 | (low - 0xDC00)))
    else { throw error("half of a surrogate pair") }
    text.append(scalar)
  }

  private mutating func hexadecimal(digits: Int) throws(JSON5Error) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<digits {
      guard let scalar = next, let digit = Character(scalar).hexDigitValue else {
        throw error("expected \(digits) hexadecimal digits, found \(found)")
      }
      code = code << 4 | UInt32(digit)
      advance()
    }
    return code
  }

  // MARK: Numbers

  private mutating func number() throws(JSON5Error) -> JSON5Value.Content {
    let start = place
    var text = ""
    while let scalar = next, scalar.isNumberPart(after: text.unicodeScalars.last) {
      text.unicodeScalars.append(scalar)
      advance()
    }
    guard let content = JSON5Parser.number(text) else {
      throw JSON5Error(place: start, problem: "\(text) is not a finite number")
    }
    return content
  }

  private static func number(_ text: String) -> JSON5Value.Content? {
    let negative = text.hasPrefix("-")
    let digits = negative || text.hasPrefix("+") ? String(text.dropFirst()) : text
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      guard let value = Int64((negative ? "-" : "") + digits.dropFirst(2), radix: 16) else {
        return nil
      }
      return .integer(value)
    }
    guard
      digits.count == 1 || !digits.hasPrefix("0") || !(digits.dropFirst().first?.isNumber ?? false)
    else { return nil }
    if let value = Int64((negative ? "-" : "") + digits) { return .integer(value) }
    guard digits.first != "-", digits.first != "+", let value = Double(padded(digits)),
      value.isFinite
    else { return nil }
    return .number(negative ? -value : value)
  }

  /// `.5` and `5.` are numbers in JSON5 and none in Swift.
  private static func padded(_ digits: String) -> String {
    let leading = digits.hasPrefix(".") && digits.count > 1 ? "0" + digits : digits
    guard leading.hasSuffix("."), leading.count > 1 else { return leading }
    return String(leading.dropLast())
  }

  // MARK: Space

  private mutating func skipSpace() throws(JSON5Error) {
    while let scalar = next {
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        advance()
      } else if scalar == "/" {
        try comment()
      } else {
        return
      }
    }
  }

  private mutating func comment() throws(JSON5Error) {
    let start = place
    advance()
    if take("/") {
      while let scalar = next, scalar != "\n", scalar != "\r" { advance() }
    } else if take("*") {
      try blockComment(from: start)
    } else {
      throw JSON5Error(place: start, problem: "expected // or /*")
    }
  }

  private mutating func blockComment(from start: Place) throws(JSON5Error) {
    while next != nil {
      if take("*") {
        if take("/") { return }
      } else {
        advance()
      }
    }
    throw JSON5Error(place: start, problem: "this comment has no end")
  }

  // MARK: Position

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private var place: Place { Place(line: line, column: column) }

  private var found: String { next.map { "\u{201C}\($0)\u{201D}" } ?? "the end of the file" }

  private func error(_ problem: String) -> JSON5Error {
    JSON5Error(place: place, problem: problem)
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    advance()
    return true
  }

  private mutating func advance() {
    let passed = scalars[index]
    index += 1
    if passed == "\n" || (passed == "\r" && next != "\n") {
      line += 1
      column = 1
    } else {
      column += 1
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isNumberStart: Bool {
    self == "-" || self == "+" || self == "." || ("0"..."9").contains(self)
  }

  /// Whether a number goes on; a sign stands only first and after an exponent.
  fileprivate func isNumberPart(after previous: Unicode.Scalar?) -> Bool {
    if self == "-" || self == "+" { return previous == nil || previous == "e" || previous == "E" }
    return self == "." || isNamePart
  }

  fileprivate var isNameStart: Bool {
    self == "$" || self == "_" || properties.isXIDStart
  }

  fileprivate var isNamePart: Bool {
    isNameStart || properties.isXIDContinue
  }
}
