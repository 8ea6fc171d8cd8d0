package import AppStoreModel
package import EntitlementLedger

/// News as it waits to be fetched or sent: at its place, with the whole new state.
package struct StoredEvent: Hashable, Sendable {
  /// Grows; a reader that asks for what comes after a position misses nothing.
  package let position: Int64
  /// Tells this event from one that another ledger, or a restored one, has at the same position.
  let mark: String
  /// A ``LedgerEvent`` `Kind`, or `caseOpened`, `caseAnswered`, `caseMissed` or `caseClosed`.
  package let type: String
  package let scope: Scope
  /// `nil` for a refund of a purchase that nobody owns.
  package let customer: CustomerID?
  /// The customer's version at which the state holds.
  package let version: Int64
  /// JSON: the new decision, refund or case.
  package let payload: String
  /// JSON: the facts that caused it; none for what time alone brought.
  package let causes: String
  package let happenedAt: Timestamp

  /// The same for every reader, channel and attempt.
  package var id: EventID { EventID(position: position, mark: mark) }
}
