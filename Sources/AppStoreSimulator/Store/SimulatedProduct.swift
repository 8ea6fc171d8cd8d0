package import AppStoreModel

/// Something that a simulated App Store sells.
package struct SimulatedProduct: Hashable, Sendable {
  package var id: String
  package var type: ProductType
  package var price: Money
  /// What one payment pays for; auto-renewable subscriptions only.
  package var period: TimeSpan?
  /// Auto-renewable subscriptions only: of one group a customer has one at a time.
  package var group: String?
  /// The rank within the group, 1 for the best; equal ranks are exchanged by a crossgrade.
  package var level: Int
  package var isFamilyShareable: Bool
  /// How many payments a monthly plan binds for, absent for one that binds for none.
  package var commitment: Int32?
  /// Shape: the descriptions of the items that an Advanced Commerce product is made of, with prices.
  package var items: [Item]
  package var offers: [SimulatedOffer]

  /// A part of an Advanced Commerce purchase.
  package struct Item: Hashable, Sendable {
    package var sku: String
    /// Unit: milliunits of the product's currency.
    package var price: Int64

    package init(sku: String, price: Int64) {
      self.sku = sku
      self.price = price
    }
  }

  package init(
    id: String, type: ProductType, price: Money, period: TimeSpan? = nil, group: String? = nil,
    level: Int = 1, isFamilyShareable: Bool = false, commitment: Int32? = nil,
    items: [Item] = [], offers: [SimulatedOffer] = []
  ) {
    self.id = id
    self.type = type
    self.price = price
    self.period = period
    self.group = group
    self.level = level
    self.isFamilyShareable = isFamilyShareable
    self.commitment = commitment
    self.items = items
    self.offers = offers
  }

  /// Shape: the last part of its id.
  package var shortName: String { id.split(separator: ".").last.map(String.init) ?? id }
}

extension SimulatedProduct {
  package static let coins = SimulatedProduct(
    id: "com.example.app.coins", type: .consumable, price: .dollars(4_990))
  package static let themes = SimulatedProduct(
    id: "com.example.app.themes", type: .nonConsumable, price: .dollars(9_990),
    isFamilyShareable: true, offers: [.firstTheme])
  package static let season = SimulatedProduct(
    id: "com.example.app.season", type: .nonRenewingSubscription, price: .dollars(19_990))
  package static let basic = SimulatedProduct(
    id: "com.example.app.basic", type: .autoRenewableSubscription, price: .dollars(4_990),
    period: .days(30), group: "21345678", level: 2, isFamilyShareable: true)
  package static let pro = SimulatedProduct(
    id: "com.example.app.pro", type: .autoRenewableSubscription, price: .dollars(9_990),
    period: .days(30), group: "21345678", isFamilyShareable: true,
    offers: [.freeWeek, .loyalty, .winBack])

  /// One product of each type, and a second tier of the subscription.
  package static let all = [coins, themes, season, basic, pro]
}

extension Money {
  fileprivate static func dollars(_ milliunits: Int64) -> Money {
    Money(milliunits: milliunits, currency: Currency(code: "USD"))
  }
}
