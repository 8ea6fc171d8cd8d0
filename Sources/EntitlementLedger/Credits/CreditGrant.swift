public import AppStoreModel

/// What one consumable purchase puts into a balance, and what of it a refund takes back.
public struct CreditGrant: Hashable, Sendable {
  public let transactionId: String
  public let productId: String
  public let purchaseDate: Timestamp
  /// Of which balance.
  public let unit: String
  /// Quantity times the catalog's amount.
  public let credits: Int64
  /// The revocation that stands; `nil` while the purchase does.
  public let takenBack: TakenBack?

  /// Why credits are gone, and how many.
  public struct TakenBack: Hashable, Sendable {
    /// For a revocation without a date, the date of the notification that told it.
    public let key: RevocationKey
    public let share: RevokedShare
    /// Whether money went back, so that credits already spent can be owed.
    public let isRefund: Bool

    public init(key: RevocationKey, share: RevokedShare, isRefund: Bool) {
      self.key = key
      self.share = share
      self.isRefund = isRefund
    }
  }

  public init(
    transactionId: String, productId: String, purchaseDate: Timestamp, unit: String,
    credits: Int64, takenBack: TakenBack? = nil
  ) {
    self.transactionId = transactionId
    self.productId = productId
    self.purchaseDate = purchaseDate
    self.unit = unit
    self.credits = credits
    self.takenBack = takenBack
  }
}

extension CreditGrant.TakenBack {
  /// The part of `credits` that is taken back, rounded down.
  ///
  /// - Parameter credits: What the purchase put in.
  /// - Returns: From 0 to `credits`, exact: the product is taken at double width.
  public func part(of credits: Int64) -> Int64 {
    let whole = UInt64(RevokedShare.whole.percentMilliunits)
    let product = credits.magnitude.multipliedFullWidth(by: UInt64(share.percentMilliunits))
    return Int64(clamping: whole.dividingFullWidth(product).quotient)
  }
}
