public import AppStoreModel

/// Which of a customer's transactions are wanted; as made it asks for all.
///
/// Source: the query parameters of Apple's Get Transaction History v2.
public struct HistoryQuery: Hashable, Sendable {
  /// The first moment of purchase that counts.
  public var startDate: Timestamp?
  /// The first moment of purchase that counts no more.
  public var endDate: Timestamp?
  public var productIds: [String] = []
  public var productTypes: [HistoryProductType] = []
  public var subscriptionGroupIdentifiers: [String] = []
  public var inAppOwnershipType: InAppOwnershipType?
  /// Only revoked transactions, or only others.
  public var revoked: Bool?
  public var newestFirst = false

  public init() {}
}

/// A product type as a query spells it; payloads use other words.
///
/// Source: `productType` of Apple's Get Transaction History.
public enum HistoryProductType: String, CaseIterable, Hashable, Sendable {
  case autoRenewable = "AUTO_RENEWABLE"
  case nonRenewable = "NON_RENEWABLE"
  case consumable = "CONSUMABLE"
  case nonConsumable = "NON_CONSUMABLE"
}
