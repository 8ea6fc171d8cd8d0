public import AppStoreModel

/// What an answer rests on.
public struct Evidence: Hashable, Sendable {
  /// `nil` for a manual grant.
  public let chain: ChainKey?
  /// `nil` for a manual grant, and for a period that only Apple's status shows.
  public let transactionId: String?
  public let productId: String?
  public let ownership: InAppOwnershipType?
  public let purchaseDate: Timestamp?
  /// `expiresDate`, the end of grace, the end of a term, `renewalDate` or the end of a grant.
  public let expiresDate: Timestamp?
  /// Of the revocation that stands.
  public let revocationDate: Timestamp?
  public let revocationClass: RevocationClass?
  public let share: RevokedShare?
  /// The status in force, where it decided.
  public let status: SubscriptionStatus?
  public let statusDate: Timestamp?
  public let grantId: String?

  package init(
    chain: ChainKey? = nil, transactionId: String? = nil, productId: String? = nil,
    ownership: InAppOwnershipType? = nil, purchaseDate: Timestamp? = nil,
    expiresDate: Timestamp? = nil, revocationDate: Timestamp? = nil,
    revocationClass: RevocationClass? = nil, share: RevokedShare? = nil,
    status: SubscriptionStatus? = nil, statusDate: Timestamp? = nil, grantId: String? = nil
  ) {
    self.chain = chain
    self.transactionId = transactionId
    self.productId = productId
    self.ownership = ownership
    self.purchaseDate = purchaseDate
    self.expiresDate = expiresDate
    self.revocationDate = revocationDate
    self.revocationClass = revocationClass
    self.share = share
    self.status = status
    self.statusDate = statusDate
    self.grantId = grantId
  }
}
