import AppStoreModel

/// What is said of products and policies, as a person reads it.
enum CatalogTable {
  static let header = [
    "product", "entitlements", "type", "length", "credits", "shareable", "counts from",
  ]

  static func row(_ entry: JSONValue) -> [String] {
    let names = (entry["entitlements"]?.array ?? []).compactMap(\.string)
    let credits = entry["creditsPerUnit"]?.integer.map { "\($0) \(entry.cell("creditUnit"))" }
    return [
      entry.cell("productId"), names.isEmpty ? "-" : names.joined(separator: ","),
      entry.cell("type"), entry["lengthMs"]?.integer.map { "\($0 / 86_400_000) days" } ?? "-",
      credits ?? "-", entry.cell("familyShareable"), start(entry),
    ]
  }

  static let policyHeader = [
    "renewal leeway", "unknown customer", "spent credits", "counts from",
  ]

  static func policyRow(_ entry: JSONValue) -> [String] {
    [
      entry["renewalLeewayMinutes"]?.integer.map { "\($0) min" } ?? "-",
      entry.cell("unknownCustomer"), entry.cell("spentCredits"), start(entry),
    ]
  }

  private static func start(_ entry: JSONValue) -> String {
    entry["effectiveFromMs"].map { Moment.text($0) } ?? "ever"
  }

  /// Prints who stated it, after the entries that count.
  static func show(statementsOf page: JSONValue, on console: Console) {
    let source = page["source"]?.string == "api" ? "a statement" : "the configuration"
    console.print("What counts is by \(source).")
    let rows = (page["statements"]?.array ?? []).map { statement in
      [
        statement.cell("statedAtMs"), statement.cell("statedBy"),
        statement["withdrawn"] == .bool(true) ? "withdrawn" : "stated",
      ]
    }
    guard !rows.isEmpty else { return }
    console.print("")
    console.print(TextTable(header: ["at", "by", "what"], rows: rows))
  }
}
