import AppStoreModel
import ContractSupport
import EntitlementLedger
import Foundation
import LedgerStorage
import Testing

@testable import LedgerServer

/// The closed list of what events are about.
struct EventTypeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func contract(_ name: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: "docs/contracts/\(name)"), encoding: .utf8)
  }

  @Test func `the documented list has every type once, and no other`() throws {
    let rows = try contract("event-types.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
    let listed = rows.map { String($0.dropFirst(3).prefix { $0 != "`" }) }
    #expect(listed.sorted() == EventType.allCases.map(\.rawValue).sorted())
  }

  @Test func `the schema of an event allows every type, and no other`() throws {
    let schema = try JSONValue(json: Array(contract("schemas/event.json").utf8))
    let listed = schema["properties"]?["type"]?["enum"]?.array?.compactMap(\.string)
    #expect(listed == EventType.allCases.map(\.rawValue))
  }

  @Test func `every page about events leads to the list`() throws {
    for page in ["../events.md", "../webhooks.md", "../ledger-rules.md", "api.md"] {
      #expect(try contract(page).contains("event-types.md"), "\(page)")
    }
  }

  @Test func `news of answers and refunds keep their own names`() {
    for kind in LedgerEvent.Kind.allCases {
      #expect(EventType(kind).rawValue == kind.rawValue)
    }
  }
}
