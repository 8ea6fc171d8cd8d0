package import AppStoreModel
package import EntitlementLedger

/// News as it waits to be fetched or sent: at its place, with the whole new state.
package struct StoredEvent: Hashable, Sendable {
  /// Grows; a reader that asks for what comes after a position misses nothing.
  package let position: Int64
  /// A ``LedgerEvent`` `Kind`, or `caseOpened`, `caseAnswered`, `caseMissed` or `caseClosed`.
  package let type: String
  package let scope: Scope
  /// `nil` for a refund of a purchase that nobody owns.
  package let customer: CustomerID?
  /// The customer's version at which the state holds.
  package let version: Int64
  /// JSON: the new decision or refund.
  package let payload: String
  package let happenedAt: Timestamp
}
