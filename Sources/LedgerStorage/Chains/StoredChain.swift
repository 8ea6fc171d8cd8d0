package import EntitlementLedger

/// A chain and where it is kept.
package struct StoredChain {
  package let id: Int64
  package let scopeID: Int64
  /// The row of whom it belongs to, by all that was known when it was last written.
  package var customerID: Int64?
  package var chain: Chain
}
