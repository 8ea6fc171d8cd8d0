import AppStoreModel
import AppStoreSimulator
import Testing

struct StoreRefusalTests {
  static let now = Timestamp(millisecondsSince1970: 1_780_000_000_000)

  var store = SimulatedAppStore(seed: 1)
  let ada: Customer
  let coins: String
  let chain: String

  init() throws {
    ada = store.enroll("Ada")
    coins = try store.buy(SimulatedProduct.coins.id, by: ada, at: Self.now)
    chain = try store.buy(SimulatedProduct.basic.id, by: ada, at: Self.now)
  }

  @Test mutating func `what does not exist cannot be bought or refunded`() {
    #expect(throws: StoreRefusal.unknownProduct("x")) {
      try store.buy("x", by: ada, at: Self.now)
    }
    #expect(throws: StoreRefusal.unknownTransaction("x")) { try store.refund("x", at: Self.now) }
    #expect(throws: StoreRefusal.unknownTransaction("x")) {
      try store.requestRefund(of: "x", at: Self.now)
    }
  }

  @Test mutating func `nobody shares with oneself`() {
    #expect(throws: StoreRefusal.ownPurchase("Ada")) {
      try store.share(chain, with: ada, at: Self.now)
    }
  }

  @Test mutating func `what was refunded is not shared`() throws {
    let ben = store.enroll("Ben")
    try store.refund(chain, at: Self.now)
    #expect(throws: StoreRefusal.alreadyRevoked(chain)) {
      try store.share(chain, with: ben, at: Self.now)
    }
    try store.reverseRefund(of: chain, at: Self.now)
    try store.share(chain, with: ben, at: Self.now)
  }

  @Test mutating func `a group has one subscription at a time`() {
    #expect(throws: StoreRefusal.alreadySubscribed(group: "21345678")) {
      try store.buy(SimulatedProduct.pro.id, by: ada, at: Self.now)
    }
  }

  @Test mutating func `only subscriptions renew, and only within their group`() {
    #expect(throws: StoreRefusal.notASubscription(coins)) { try store.renew(coins, at: Self.now) }
    #expect(throws: StoreRefusal.anotherGroup(SimulatedProduct.coins.id)) {
      try store.upgrade(chain, to: SimulatedProduct.coins.id, at: Self.now)
    }
    #expect(throws: StoreRefusal.anotherGroup(SimulatedProduct.coins.id)) {
      try store.renewInto(SimulatedProduct.coins.id, chain, at: Self.now)
    }
  }

  @Test mutating func `what was paid is not recovered`() {
    #expect(throws: StoreRefusal.notPaidYet(chain)) { try store.recover(chain, at: Self.now) }
    #expect(throws: StoreRefusal.notPaidYet(chain)) { try store.endGrace(of: chain, at: Self.now) }
  }

  @Test mutating func `a refund is given once and taken back once`() throws {
    #expect(throws: StoreRefusal.notRefunded(coins)) {
      try store.reverseRefund(of: coins, at: Self.now)
    }
    try store.refund(coins, at: Self.now)
    #expect(throws: StoreRefusal.alreadyRevoked(coins)) { try store.refund(coins, at: Self.now) }
  }

  @Test mutating func `coins are not shared, and a purchase is no share`() {
    #expect(throws: StoreRefusal.notFamilyShareable(SimulatedProduct.coins.id)) {
      try store.share(coins, with: ada, at: Self.now)
    }
    #expect(throws: StoreRefusal.notFamilyShared(chain)) {
      try store.stopSharing(chain, at: Self.now)
    }
  }

  @Test func `every refusal says in one sentence what is wrong`() {
    let all: [StoreRefusal] = [
      .unknownProduct("x"), .unknownTransaction("x"), .notASubscription("x"),
      .alreadySubscribed(group: "x"), .anotherGroup("x"), .notFamilyShareable("x"),
      .anotherFamily("x"), .notFamilyShared("x"), .notSoldBySeat("x"), .noSeatLeft("x"),
      .notAssigned("x"), .alreadyRevoked("x"), .notRefunded("x"), .notPaidYet("x"),
      .noPriceIncrease("x"), .noRefundRequest("x"), .notAdvancedCommerce("x"),
      .unknownPurchase("x"), .noSuchPeriod("x", 2, of: 1), .neverSaid("x"), .ownPurchase("x"),
      .nameTaken("x"), .notBetter("x"),
    ]
    let others: [StoreRefusal] = [
      .unknownItem(3), .notExtendable(.ineligible), .notExtendable(.tooOften),
      .notExtendable(.familyShared), .notExtendable(.assigned),
    ]
    #expect(Set((all + others).map(\.description)).count == all.count + others.count)
    #expect((all + others).allSatisfy { $0.description.hasSuffix(".") })
    #expect(all.allSatisfy { $0.description.contains("x") })
  }
}
