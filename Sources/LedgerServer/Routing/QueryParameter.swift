/// A parameter that a route reads from the query, as programs are told of it.
struct QueryParameter: Hashable, Sendable {
  let name: String
  let description: String
  /// JSON Schema.
  let schema: String

  static func text(_ name: String, _ description: String) -> QueryParameter {
    QueryParameter(name: name, description: description, schema: #"{"type":"string"}"#)
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

  static let app = text("app", "Which of the key's apps, by its bundle id.")
}
