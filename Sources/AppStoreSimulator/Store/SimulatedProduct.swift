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
  package var isFamilyShareable: Bool

  package init(
    id: String, type: ProductType, price: Money, period: TimeSpan? = nil, group: String? = nil,
    isFamilyShareable: Bool = false
  ) {
    self.id = id
    self.type = type
    self.price = price
    self.period = period
    self.group = group
    self.isFamilyShareable = isFamilyShareable
  }
}

extension SimulatedProduct {
  package static let coins = SimulatedProduct(
    id: "com.example.app.coins", type: .consumable, price: .dollars(4_990))
  package static let themes = SimulatedProduct(
    id: "com.example.app.themes", type: .nonConsumable, price: .dollars(9_990),
    isFamilyShareable: true)
  package static let season = SimulatedProduct(
    id: "com.example.app.season", type: .nonRenewingSubscription, price: .dollars(19_990))
  package static let basic = SimulatedProduct(
    id: "com.example.app.basic", type: .autoRenewableSubscription, price: .dollars(4_990),
    period: .days(30), group: "21345678", isFamilyShareable: true)
  package static let pro = SimulatedProduct(
    id: "com.example.app.pro", type: .autoRenewableSubscription, price: .dollars(9_990),
    period: .days(30), group: "21345678", isFamilyShareable: true)

  /// One product of each type, and a second tier of the subscription.
  package static let all = [coins, themes, season, basic, pro]
}

extension Money {
  fileprivate static func dollars(_ milliunits: Int64) -> Money {
    Money(milliunits: milliunits, currency: Currency(code: "USD"))
  }
}
