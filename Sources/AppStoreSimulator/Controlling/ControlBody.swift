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

  func text(_ name: String) -> String? { value.member(name)?.string }

  func number(_ name: String) -> Int64? { value.member(name)?.integer }

  func flag(_ name: String) -> Bool? {
    if case .bool(let flag)? = value.member(name) { flag } else { nil }
  }

  func required<Value>(_ name: String, _ value: Value?) throws -> Value {
    guard let value else { throw ControlRefusal.missing(name) }
    return value
  }

  func transactionId() throws -> String { try required("transactionId", text("transactionId")) }

  /// The sum of `days`, `hours`, `minutes`, `seconds` and `milliseconds`.
  func span() throws -> TimeSpan {
    let units: [(String, Int64)] = [
      ("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1_000),
      ("milliseconds", 1),
    ]
    let parts = units.compactMap { unit in number(unit.0).map { ($0, unit.1) } }
    guard !parts.isEmpty else { throw ControlRefusal.missing("milliseconds") }
    var sum: Int64 = 0
    for (count, unit) in parts {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: unit)
      guard !isTooLarge, abs(product) < 1 << 50 else { throw ControlRefusal.wrong("span") }
      sum += product
    }
    return TimeSpan(milliseconds: sum)
  }

  func share() throws -> RevokedShare? {
    guard let number = number("percentMilliunits") else { return nil }
    guard let whole = Int32(exactly: number), let share = RevokedShare(percentMilliunits: whole)
    else { throw ControlRefusal.wrong("percentMilliunits") }
    return share
  }

  func endpoint() throws -> APIEndpoint? {
    guard let word = text("endpoint") else { return nil }
    guard let endpoint = APIEndpoint(word: word) else { throw ControlRefusal.wrong("endpoint") }
    return endpoint
  }

  /// A refusal with one of Apple's codes, any other answer, or none.
  func fault() throws -> APIFault {
    var answer: APIAnswer
    if let code = number("errorCode") {
      guard (4_000_000...5_999_999).contains(code) else { throw ControlRefusal.wrong("errorCode") }
      answer = .refusal(code)
    } else {
      let status = number("status") ?? 500
      guard (100...599).contains(status) else { throw ControlRefusal.wrong("status") }
      answer = APIAnswer(
        status: Int(status), type: text("contentType") ?? "text/html",
        body: Array((text("body") ?? "").utf8))
    }
    if let retryAfter = number("retryAfterMs") {
      answer.headers.append(("Retry-After", String(retryAfter)))
    }
    if flag("hang") == true { answer.conduct = .hang }
    if flag("close") == true { answer.conduct = .close }
    let count = number("count") ?? 1
    guard (1...1_000_000).contains(count) else { throw ControlRefusal.wrong("count") }
    let after = number("after") ?? 0
    guard (0...1_000_000).contains(after) else { throw ControlRefusal.wrong("after") }
    return APIFault(
      answer, at: try endpoint(), count: Int(count), after: Int(after),
      isDone: flag("afterwards") ?? false)
  }
}
