import AppStoreSimulator

/// Shows which scenarios there are.
enum ScenarioList {
  struct Entry: Encodable {
    let name: String
    let title: String
  }

  static func print(asJSON: Bool, on console: Console) throws {
    let entries = Scenario.all.map { Entry(name: $0.name, title: $0.title) }
    if asJSON { return try console.print(json: entries) }
    console.print(
      TextTable(header: ["scenario", "what happens"], rows: entries.map { [$0.name, $0.title] }))
  }
}
