/// How much a ledger holds, for metrics: cheap to read at any size.
package struct LedgerCounts: Hashable, Sendable {
  package let facts: Int64
  package let chains: Int64
  package let customers: Int64
  package let events: Int64
  package let postings: Int64
  package let quarantined: Int64
  package let alerts: Int64
}

extension Recorder {
  package func counts() throws(StoreError) -> LedgerCounts {
    // Rows of these tables are never deleted: the greatest id is their number.
    LedgerCounts(
      facts: try session.number(Self.facts, []) ?? 0,
      chains: try session.number(Self.chains, []) ?? 0,
      customers: try session.number(Self.customers, []) ?? 0,
      events: try events.last(),
      postings: try session.number(Self.postings, []) ?? 0,
      quarantined: try session.number(Self.quarantined, []) ?? 0,
      alerts: try session.number(Self.alerts, []) ?? 0)
  }

  private static let facts = SQLStatement("SELECT max(id) FROM facts")
  private static let chains = SQLStatement("SELECT max(id) FROM chains")
  private static let customers = SQLStatement("SELECT max(id) FROM customers")
  private static let postings = SQLStatement("SELECT max(id) FROM postings")
  private static let alerts = SQLStatement("SELECT max(id) FROM alerts")
  private static let quarantined = SQLStatement("SELECT count(*) FROM quarantine")
}
