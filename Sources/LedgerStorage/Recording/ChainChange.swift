import EntitlementLedger

/// A chain before and after something happened to it.
struct ChainChange {
  let before: Chain
  var after: StoredChain
  /// The owner before, where there was one.
  let ownerBefore: Int64?
  /// The owner after, once it was found out.
  var owner: CustomerKey?

  init(_ stored: StoredChain) {
    before = stored.chain
    after = stored
    ownerBefore = stored.customerID
  }

  var owners: [Int64] {
    [ownerBefore, after.customerID].compactMap { $0 }
  }
}
