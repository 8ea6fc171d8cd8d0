public import AppStoreModel

/// Access that was given by hand, without a purchase.
public struct ManualGrant: Hashable, Sendable {
  public let id: String
  public let customer: CustomerID
  public let entitlement: String
  public let from: Timestamp
  /// `nil` for a grant that only a revocation ends.
  public let until: Timestamp?
  /// When it was taken back.
  public var revokedAt: Timestamp?

  public init(
    id: String, customer: CustomerID, entitlement: String, from: Timestamp, until: Timestamp?,
    revokedAt: Timestamp? = nil
  ) {
    self.id = id
    self.customer = customer
    self.entitlement = entitlement
    self.from = from
    self.until = until
    self.revokedAt = revokedAt
  }

  /// The moment after which it grants nothing.
  public var end: Timestamp? {
    guard let revokedAt else { return until }
    return min(revokedAt, until ?? revokedAt)
  }
}
