import AppStoreModel

/// The members of a control call.
struct ControlBody: Sendable {
  private let value: JSONValue

  /// An empty body is an empty object.
  init(_ json: [UInt8]) throws {
    if json.isEmpty {
      value = .object([])
    } else {
      guard let value = try? JSONValue(json: json), case .object = value else {
        throw ControlRefusal.notJSON
      }
      self.value = value
    }
  }

  /// In the order of the body.
  var names: [String] {
    if case .object(let members) = value { members.map(\.name) } else { [] }
  }

  func text(_ name: String) throws -> String? {
    let text = try anyText(name)
    if text?.allSatisfy(\.isWhitespace) == true { throw ControlRefusal.empty(name) }
    return text
  }

  /// One that may be empty.
  func anyText(_ name: String) throws -> String? { try member(name) { $0.string } }

  func flag(_ name: String) throws -> Bool? {
    try member(name) { if case .bool(let flag) = $0 { flag } else { nil } }
  }

  func number(_ name: String) throws -> Int64? { try member(name) { $0.integer } }

  func number(_ name: String, in range: ClosedRange<Int64>) throws -> Int64? {
    guard let number = try number(name) else { return nil }
    guard range.contains(number) else { throw ControlRefusal.wrong(name) }
    return number
  }

  /// Absent and null are the same; a value of another kind is refused.
  private func member<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws -> Value? {
    guard let stated = value.member(name), stated != .null else { return nil }
    guard let value = read(stated) else { throw ControlRefusal.wrong(name) }
    return value
  }

  func required<Value>(_ name: String, _ value: Value?) throws -> Value {
    guard let value else { throw ControlRefusal.missing(name) }
    return value
  }

  func transactionId() throws -> String { try required("transactionId", try text("transactionId")) }

  /// The sum of `days`, `hours`, `minutes`, `seconds` and `milliseconds`.
  ///
  /// Range: up to ``TimeSpan/greatestStated``, ahead or back.
  func span() throws -> TimeSpan {
    let units: [(String, Int64)] = [
      ("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1_000),
      ("milliseconds", 1),
    ]
    let parts = try units.compactMap { unit in try number(unit.0).map { ($0, unit.1) } }
    guard !parts.isEmpty else {
      throw ControlRefusal.missing("days, hours, minutes, seconds or milliseconds")
    }
    var sum = TimeSpan.zero
    for (count, unit) in parts {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: unit)
      guard !isTooLarge else { throw ControlRefusal.wrong("span") }
      sum = sum.adding(TimeSpan(milliseconds: product))
    }
    guard sum.milliseconds.magnitude <= TimeSpan.greatestStated.milliseconds.magnitude else {
      throw ControlRefusal.wrong("span")
    }
    return sum
  }

  func share() throws -> RevokedShare? {
    guard let number = try number("percentMilliunits") else { return nil }
    guard let whole = Int32(exactly: number), let share = RevokedShare(percentMilliunits: whole)
    else { throw ControlRefusal.wrong("percentMilliunits") }
    return share
  }

  func endpoint() throws -> APIEndpoint? {
    guard let word = try text("endpoint") else { return nil }
    guard let endpoint = APIEndpoint(word: word) else {
      throw ControlRefusal.notOneOf("endpoint", APIEndpoint.words)
    }
    return endpoint
  }

  /// A refusal with one of Apple's codes, any other answer, or none.
  func fault() throws -> APIFault {
    var answer: APIAnswer
    if let code = try number("errorCode", in: 4_000_000...5_999_999) {
      answer = .refusal(code)
    } else {
      answer = APIAnswer(
        status: Int(try number("status", in: 100...599) ?? 500),
        type: try text("contentType") ?? "text/html", body: Array((try anyText("body") ?? "").utf8))
    }
    if let retryAfter = try number("retryAfterMs") {
      answer.headers.append(("Retry-After", String(retryAfter)))
    }
    if try flag("hang") == true { answer.conduct = .hang }
    if try flag("close") == true { answer.conduct = .close }
    return APIFault(
      answer, at: try endpoint(), count: Int(try number("count", in: 1...1_000_000) ?? 1),
      after: Int(try number("after", in: 0...1_000_000) ?? 0),
      isDone: try flag("afterwards") ?? false)
  }
}
