import JSON5

/// A parameter that a route reads from the query, as programs are told of it.
struct QueryParameter: Hashable, Sendable {
  let name: String
  let description: String
  /// JSON Schema.
  let schema: String

  static func text(_ name: String, _ description: String) -> QueryParameter {
    QueryParameter(name: name, description: description, schema: #"{"type":"string"}"#)
  }

  /// One of a few words.
  static func word(
    _ name: String, of words: [String], _ description: String
  ) -> QueryParameter {
    let list = words.map { "\"\($0)\"" }.joined(separator: ",")
    return QueryParameter(
      name: name, description: description, schema: #"{"type":"string","enum":[\#(list)]}"#)
  }

  static func number(
    _ name: String, _ range: ClosedRange<Int64>, default standing: Int64, _ description: String
  ) -> QueryParameter {
    QueryParameter(
      name: name, description: description,
      schema: """
        {"type":"integer","minimum":\(range.lowerBound),"maximum":\(range.upperBound),\
        "default":\(standing)}
        """)
  }

  /// A moment in milliseconds since 1970.
  static func moment(_ name: String, _ description: String) -> QueryParameter {
    QueryParameter(
      name: name, description: description + " Unit: milliseconds since 1970.",
      schema: #"{"type":"integer","minimum":0}"#)
  }

  static let app = text("app", "Which of the key's apps, by its bundle id.")
  static let reason = text("reason", "Why, for the record; the body's counts before it.")
  static let after = text("after", "The next of an earlier answer.")
  static let limit = number("limit", 1...500, default: 100, "How many at most.")
  static let format = word("format", of: ["json", "csv"], "What the answer is written in.")
  static let from = moment("from", "Where the report's time begins.")
  static let until = moment("until", "What the report's time ends before.")

  /// Refuses parameters that a route does not read, and names the one that was probably meant.
  static func check(_ names: [String], against known: [QueryParameter]) throws(Problem) {
    let known = known.map(\.name).sorted()
    guard let other = names.first(where: { !known.contains($0) }) else { return }
    let shown = StatedText.isPlain(other, upTo: 64) ? "The query's \(other)" : "A query parameter"
    if let meant = other.nearest(in: known) {
      throw Problem(.badParameter, "\(shown) is unknown; is \(meant) meant?")
    }
    let there = known.isEmpty ? "no parameters" : known.joined(separator: ", ")
    throw Problem(.badParameter, "\(shown) is unknown; there are \(there).")
  }
}
