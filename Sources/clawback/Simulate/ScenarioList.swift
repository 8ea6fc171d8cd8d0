import AppStoreSimulator

/// Shows which scenarios there are.
struct ScenarioList: Encodable {
  struct Entry: Encodable {
    let name: String
    let summary: String
  }

  let scenarios: [Entry]

  static func print(asJSON: Bool, on console: Console) throws {
    let entries = Scenario.all.map { Entry(name: $0.name, summary: $0.summary) }
    if asJSON { return try console.print(json: ScenarioList(scenarios: entries)) }
    for line in TextTable(rows: entries.map { [$0.name, $0.summary] }).lines {
      console.print(line)
    }
  }
}
