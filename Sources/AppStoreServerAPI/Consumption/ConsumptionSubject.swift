public import AppStoreModel

/// What a consumption request is about: settles whether, where and how it may be answered.
public struct ConsumptionSubject: Hashable, Sendable {
  /// Which of Apple's two endpoints takes the answer.
  public enum Version: Hashable, Sendable {
    /// Advanced Commerce purchases.
    case v1
    /// All others.
    case v2
  }

  public var productType: ProductType?
  public var ownership: InAppOwnershipType?
  public var isAdvancedCommerce: Bool

  public init(productType: ProductType?, ownership: InAppOwnershipType?, isAdvancedCommerce: Bool) {
    self.productType = productType
    self.ownership = ownership
    self.isAdvancedCommerce = isAdvancedCommerce
  }

  /// The purchase of a transaction.
  public init(_ transaction: JWSTransactionDecodedPayload) {
    self.init(
      productType: transaction.type, ownership: transaction.inAppOwnershipType,
      isAdvancedCommerce: transaction.advancedCommerceInfo != nil)
  }

  /// Where the answer goes.
  ///
  /// - Throws: ``ConsumptionFault/notPurchased`` for what the customer did not buy: such a request
  ///   stays without an answer.
  public func version() throws(ConsumptionFault) -> Version {
    switch ownership {
    case .purchased?, nil: return isAdvancedCommerce ? .v1 : .v2
    default: throw .notPurchased
    }
  }
}
