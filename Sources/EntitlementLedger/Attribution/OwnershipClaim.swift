/// What Apple signed about whose a chain is.
public struct OwnershipClaim: Hashable, Sendable {
  /// Lower case.
  public let appAccountToken: String?
  public let appTransactionId: String?
  /// The chain whose owner it falls to where nothing else tells.
  public let previousOriginalTransactionId: String?

  public init(
    appAccountToken: String?, appTransactionId: String?, previousOriginalTransactionId: String?
  ) {
    self.appAccountToken = appAccountToken
    self.appTransactionId = appTransactionId
    self.previousOriginalTransactionId = previousOriginalTransactionId
  }
}

extension Chain {
  /// The claim of the latest purchase that makes one; a purchase without falls to the others.
  public var ownershipClaim: OwnershipClaim {
    let copies = transactions.values.map(\.newest).sorted {
      ($1.purchaseDate, $1.transactionId) < ($0.purchaseDate, $0.transactionId)
    }
    return OwnershipClaim(
      appAccountToken: copies.lazy.compactMap(\.appAccountToken).first,
      appTransactionId: copies.lazy.compactMap(\.appTransactionId).first
        ?? renewal?.appTransactionId,
      previousOriginalTransactionId: copies.lazy.compactMap(\.previousOriginalTransactionId).first)
  }
}
