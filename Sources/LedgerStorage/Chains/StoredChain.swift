package import AppStoreModel
package import EntitlementLedger

/// A chain and where it is kept.
package struct StoredChain {
  package let id: Int64
  package let scopeID: Int64
  /// The row of whom it belongs to, by all that was known when it was last written.
  package var customerID: Int64?
  /// Until when its stored claims hold by the same facts; `nil` for ever.
  package var holdsUntil: Timestamp?
  /// When its products change next by the same facts.
  package var changesAt: Timestamp?
  /// Whether its owner was erased: nothing that Apple signs tells whose it is any more.
  package var isErased: Bool
  package var chain: Chain
}
