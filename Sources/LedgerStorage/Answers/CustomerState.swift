package import AppStoreModel
package import EntitlementLedger

/// What a customer has, and as of when.
package struct CustomerState: Hashable, Sendable {
  package let customer: CustomerKey
  /// Grows with every change that was told; 0 for a customer that nobody has named.
  package let version: Int64
  package let asOf: Timestamp
  /// Until when it stays as it is if nothing more is heard; `nil` for ever.
  package let until: Timestamp?
  /// Sorted by entitlement.
  package let decisions: [Decision]

  /// The decision about one entitlement; `unknown` where nothing speaks of it.
  package func decision(on entitlement: String) -> Decision {
    decisions.first { $0.entitlement == entitlement } ?? .unheard(of: entitlement)
  }
}
