public import Foundation

/// Apple's `Product`.
public struct Product: Identifiable {
  /// Apple's `Product.ProductType`.
  public struct ProductType: RawRepresentable, Equatable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let consumable: Product.ProductType = .init(rawValue: "Consumable")
    public static let nonConsumable: Product.ProductType = .init(rawValue: "Non-Consumable")
    public static let nonRenewable: Product.ProductType = .init(
      rawValue: "Non-Renewing Subscription")
    public static let autoRenewable: Product.ProductType = .init(
      rawValue: "Auto-Renewable Subscription")
    // The texts of these two are not published: they are ours.
    public static let subscriptionBundle: Product.ProductType = .init(
      rawValue: "Subscription Bundle")
    public static let subscriptionSuite: Product.ProductType = .init(
      rawValue: "Subscription Suite")
  }

  public typealias ID = String

  public var jsonRepresentation: Data { Data() }
  public let id: String
  public let type: Product.ProductType
  public let displayName: String
  public let description: String
  public let price: Decimal
  public let displayPrice: String
  public let isFamilyShareable: Bool
  public let subscription: Product.SubscriptionInfo?

  init(_ record: ProductRecord) {
    id = record.id
    type = ProductType(rawValue: record.type)
    displayName = record.displayName
    description = record.displayName
    price = record.price
    displayPrice = record.displayPrice
    isFamilyShareable = record.isFamilyShareable
    subscription = record.subscriptionGroupID.map { SubscriptionInfo(groupID: $0) }
  }
}

extension Product: Equatable {
  public static func == (lhs: Product, rhs: Product) -> Bool {
    lhs.id == rhs.id && lhs.type == rhs.type && lhs.price == rhs.price
      && lhs.displayPrice == rhs.displayPrice && lhs.displayName == rhs.displayName
  }
}

extension Product: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Product: CustomDebugStringConvertible {
  public var debugDescription: String { "Product(\(id), \(type.rawValue))" }
}

extension Product: Sendable {}
extension Product.ProductType: Sendable {}

extension Product.ProductType {
  public var localizedDescription: String { rawValue }
}
