import AppStoreModel
import AppStoreSimulator
import Testing

/// Changes of what a subscription buys, and purchases that are made of items.
struct PlansTests {
  static let start = Timestamp(millisecondsSince1970: 1_780_000_000_000)
  static let club = plan("x.club", 1, items: [.init(sku: "a", price: 7_000)])

  private static func plan(
    _ id: String, _ level: Int, period: TimeSpan = .days(30), items: [SimulatedProduct.Item] = []
  ) -> SimulatedProduct {
    SimulatedProduct(
      id: id, type: .autoRenewableSubscription,
      price: Money(milliunits: 9_000, currency: Currency(code: "USD")), period: period,
      group: "g", level: level, items: items)
  }

  var store = SimulatedAppStore(
    catalog: [
      plan("x.middle", 2), plan("x.equal", 2), plan("x.long", 2, period: .days(365)),
      plan("x.best", 1), plan("x.least", 3), club, .coins,
    ], seed: 1)
  let ada: Customer
  let chain: String

  init() throws {
    ada = store.enroll("Ada")
    chain = try store.buy("x.middle", by: ada, at: Self.start)
  }

  func day(_ count: Int64) -> Timestamp { Self.start.adding(.days(count)) }

  /// Another product, and what is said of moving to it.
  @Test(arguments: [
    ("x.best", "DID_CHANGE_RENEWAL_PREF/UPGRADE"), ("x.equal", "DID_CHANGE_RENEWAL_PREF/UPGRADE"),
    ("x.long", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"),
    ("x.least", "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"), ("x.middle", "DID_CHANGE_RENEWAL_PREF"),
  ])
  mutating func `a plan changes at once or with the next payment`(
    product: String, title: String
  ) throws {
    let id = try store.changePlan(chain, to: product, at: day(3))
    #expect(store.notifications.last?.title == title)
    #expect((id != nil) == title.hasSuffix("UPGRADE"))
    #expect(store.grants(product, to: ada, at: day(4)) == (id != nil || product == "x.middle"))
  }

  @Test mutating func `an offer with a better plan is taken at once`() throws {
    try store.redeem(.loyalty, chain, to: "x.best", at: day(3))
    let said = try #require(store.notifications.last)
    #expect(said.title == "OFFER_REDEEMED/UPGRADE")
    #expect(said.transaction?.offerIdentifier == "loyalty")
    #expect(said.transaction?.price == 4_990)
    #expect(said.renewal?.offerType == nil)
  }

  @Test mutating func `an offer with a lesser plan waits, and is taken once`() throws {
    try store.redeem(.loyalty, chain, to: "x.least", at: day(3))
    #expect(store.notifications.last?.title == "OFFER_REDEEMED/DOWNGRADE")
    #expect(store.notifications.last?.renewal?.offerIdentifier == "loyalty")
    try store.renew(chain, at: day(29))
    #expect(store.notifications.last?.transaction?.offerIdentifier == "loyalty")
    try store.renew(chain, at: day(59))
    #expect(store.notifications.last?.transaction?.offerIdentifier == nil)
    #expect(store.notifications.last?.transaction?.price == 9_000)
  }

  @Test mutating func `a price is accepted or refused only after it was announced`() throws {
    #expect(throws: StoreRefusal.noPriceIncrease(chain)) {
      try store.acceptPrice(of: chain, at: day(1))
    }
    #expect(throws: StoreRefusal.noPriceIncrease(chain)) {
      try store.refusePrice(of: chain, at: day(1))
    }
  }

  @Test mutating func `items are refunded one by one, and access ends with the last`() throws {
    #expect(throws: StoreRefusal.notAdvancedCommerce("x.best")) {
      try store.migrate(chain, to: "x.best", at: day(1))
    }
    #expect(throws: StoreRefusal.notAdvancedCommerce(chain)) {
      try store.updateMetadata(of: chain, displayName: "n", at: day(1))
    }
    #expect(throws: StoreRefusal.notAdvancedCommerce(chain)) {
      try store.refundItem(1, of: chain, at: day(1))
    }
    let club = try store.migrate(chain, to: "x.club", at: day(1))
    #expect(store.copy(of: club, signedAt: day(1))?.expiresDate == day(30))
    #expect(throws: StoreRefusal.unknownItem(2)) {
      try store.refundItem(2, of: club, at: day(2))
    }
    try store.refundItem(1, of: club, at: day(2))
    #expect(store.grants("x.club", to: ada, at: day(2)))
    #expect(store.refunded(in: Currency(code: "USD")).milliunits == 7_000)
    try store.refundItem(1, of: club, amount: 500, revokes: true, at: day(3))
    #expect(!store.grants("x.club", to: ada, at: day(3)))
    #expect(store.refunded(in: Currency(code: "USD")).milliunits == 7_500)
    #expect(store.refunds(of: ada).count == 1)
  }

  @Test mutating func `a bundle takes over without money`() throws {
    let bundle = try store.moveToBundle(chain, "x.best", at: day(2))
    let copy = try #require(store.copy(of: bundle, signedAt: day(2)))
    #expect(copy.previousOriginalTransactionId == chain)
    let left = try #require(store.copy(of: chain, signedAt: day(2)))
    #expect(left.revocationReason == .upgradedToBundle)
    #expect(left.revocationType == nil)
    let truth = store.truth(at: day(3))
    #expect(truth.refunded == [:])
    #expect(truth.access.first?.products["x.best"] == true)
    #expect(truth.access.first?.products["x.middle"] == false)
  }

  @Test mutating func `anything can be said of a purchase that exists`() throws {
    try store.say(.unknown("NEWS"), .unknown("GOOD"), about: chain, at: day(1))
    #expect(store.notifications.last?.title == "NEWS/GOOD")
    #expect(throws: StoreRefusal.unknownTransaction("x")) {
      try store.say(.refund, about: "x", at: day(1))
    }
  }
}
