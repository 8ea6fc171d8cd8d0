package import AppStoreModel
package import EntitlementLedger

/// An alert that was raised, by which fact and when.
package struct RaisedAlert: Hashable, Sendable {
  package let position: Int64
  package let scope: Scope
  package let alert: Alert
  package let factID: Int64?
  package let raisedAt: Timestamp
}
