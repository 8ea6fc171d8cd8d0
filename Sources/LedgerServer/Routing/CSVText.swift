import HTTPListener

/// Rows of cells, separated by commas.
///
/// Source: RFC 4180.
struct CSVText {
  /// A column that says the same in every row.
  struct Leading {
    let name: String
    let cell: String
  }

  private(set) var bytes: [UInt8] = []
  private let leading: [Leading]

  init(columns: [String], leading: [Leading] = []) {
    self.leading = leading
    write(leading.map(\.name) + columns)
  }

  mutating func append(_ cells: [String]) {
    write(leading.map(\.cell) + cells)
  }

  private mutating func write(_ cells: [String]) {
    bytes += cells.map(CSVText.cell).joined(separator: ",").utf8
    bytes += "\r\n".utf8
  }

  /// A cell that holds a comma, a quote or a line break is put in quotes.
  private static func cell(_ text: String) -> String {
    guard text.utf8.contains(where: { Array(",\"\r\n".utf8).contains($0) }) else { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}

extension Call {
  /// Whether the answer is to be CSV: by `?format=csv`, or by what is accepted first.
  func wantsCSV() throws(Problem) -> Bool {
    switch request.target["format"] {
    case "csv": return true
    case "json": return false
    case nil: return request.headers["accept"]?.hasPrefix("text/csv") ?? false
    default: throw Problem(.badParameter, "format is json or csv.")
    }
  }
}

extension HTTPResponse {
  /// A page of a table; the `Link` header leads to the next one.
  ///
  /// Source: RFC 8288, relation `next`.
  static func csv(_ table: CSVText, next: String?) -> HTTPResponse {
    let page = HTTPResponse(
      status: 200, type: "text/csv; charset=utf-8; header=present", body: table.bytes)
    return next.map { page.with("Link", "<\($0)>; rel=\"next\"") } ?? page
  }
}
