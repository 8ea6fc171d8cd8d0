import AppStoreModel
import Testing

@testable import AppStoreSimulator

/// What Apple's server API looks up.
struct AccountsTests {
  static let start = Timestamp(millisecondsSince1970: 1_780_000_000_000)

  var store = SimulatedAppStore(seed: 1)
  let ada: Customer
  let ben: Customer
  let coins: String
  let chain: String

  init() throws {
    ada = store.enroll("Ada")
    ben = store.enroll("Ben", withToken: false)
    coins = try store.buy(SimulatedProduct.coins.id, by: ada, at: Self.start)
    chain = try store.buy(SimulatedProduct.basic.id, by: ada, at: Self.start)
  }

  func day(_ count: Int64) -> Timestamp { Self.start.adding(.days(count)) }

  @Test mutating func `a customer answers to any id of theirs`() throws {
    let renewal = try store.renew(chain, at: day(29))
    for id in [coins, chain, renewal, ada.appTransactionId] {
      #expect(store.customer(of: id) == ada)
    }
    #expect(store.customer(of: "2000000000000001") == nil)
  }

  @Test mutating func `what changed last stands last in the history`() throws {
    let renewal = try store.renew(chain, at: day(29))
    #expect(store.history(of: ada).map(\.payload.transactionId) == [coins, chain, renewal])
    try store.refund(coins, at: day(30))
    #expect(store.history(of: ada).map(\.payload.transactionId) == [chain, renewal, coins])
    #expect(store.history(of: ada).last?.modifiedAt == day(30))
    #expect(store.history(of: ben).isEmpty)
    try store.refund(renewal, at: day(31))
    try store.refund(chain, at: day(31))
    #expect(store.refunds(of: ada).map(\.payload.transactionId) == [coins, renewal, chain])
    try store.reverseRefund(of: coins, at: day(32))
    #expect(store.refunds(of: ada).map(\.payload.transactionId) == [renewal, chain])
  }

  @Test mutating func `a status names the newest that was not replaced`() throws {
    let upgrade = try store.upgrade(chain, to: SimulatedProduct.pro.id, at: day(3))
    let subscription = try #require(store.subscriptions(of: ada).first)
    let last = store.lastTransaction(of: subscription, signedAt: day(4))
    #expect(last?.transactionId == upgrade)
    #expect(store.copy(of: chain, signedAt: day(4))?.isUpgraded == true)
  }

  @Test func `an order holds its purchase`() throws {
    let order = try store.transaction(coins).orderId
    #expect(order.hasPrefix("MT") && order.count == 12)
    #expect(store.transactions(ofOrder: order).map(\.payload.transactionId) == [coins])
    #expect(store.transactions(ofOrder: "MT0000000000").isEmpty)
  }

  @Test func `a download has the account's id and no date before the first purchase`() {
    let download = store.appTransaction(of: ada, signedAt: day(3))
    #expect(download.appTransactionId == ada.appTransactionId)
    #expect(download.receiptType == .sandbox)
    #expect(download.receiptCreationDate == day(3))
    #expect(download.originalPurchaseDate == day(-1))
    #expect(store.appTransaction(of: ben, signedAt: day(3)).originalPurchaseDate == day(2))
  }

  @Test mutating func `a token is set for now and later`() throws {
    let first = ada.appAccountToken
    let renewal = try store.renew(chain, at: day(29))
    let token = "7f3d1b0e-9f6c-4a3e-8c55-0f3f5a3f8a11"
    try store.setAppAccountToken(token, of: chain, at: day(31))
    #expect(store.copy(of: chain, signedAt: day(31))?.appAccountToken == first)
    #expect(store.copy(of: renewal, signedAt: day(31))?.appAccountToken == token)
    let later = try store.renew(chain, at: day(59))
    #expect(store.copy(of: later, signedAt: day(59))?.appAccountToken == token)
    #expect(store.notifications.last?.renewal?.appAccountToken == token)
    let share = try store.share(later, with: ben, at: day(60))
    #expect(throws: StoreRefusal.notFamilyShareable(share)) {
      try store.setAppAccountToken(token, of: share, at: day(60))
    }
  }

  @Test mutating func `a purchase is finished when the app says so`() throws {
    #expect(try store.transaction(coins).isFinished == false)
    try store.finish(coins)
    #expect(try store.transaction(coins).isFinished)
    #expect(throws: StoreRefusal.unknownTransaction("x")) { try store.finish("x") }
  }

  @Test mutating func `an end moves twice a year, and the family's with it`() throws {
    let share = try store.share(chain, with: ben, at: day(1))
    #expect(try store.extendRenewal(of: chain, byDays: 10, at: day(2)) == day(40))
    #expect(store.notifications.suffix(2).map(\.title) == ["RENEWAL_EXTENDED", "RENEWAL_EXTENDED"])
    #expect(store.copy(of: share, signedAt: day(2))?.expiresDate == day(40))
    try store.extendRenewal(of: chain, byDays: 1, at: day(3))
    let refusals: [(String, ExtensionRefusal)] = [(chain, .tooOften), (share, .familyShared)]
    for (id, refusal) in refusals {
      #expect(throws: StoreRefusal.notExtendable(refusal)) {
        try store.extendRenewal(of: id, byDays: 1, at: day(4))
      }
    }
    #expect(throws: StoreRefusal.notExtendable(.ineligible)) {
      try store.extendRenewal(of: chain, byDays: 1, at: day(400))
    }
    let seats = try store.buy(
      SimulatedProduct.pro.id, by: ben, quantity: 3, startsNewChain: true, at: day(5))
    let seat = try store.assign(seats, to: ada, at: day(6))
    #expect(throws: StoreRefusal.notExtendable(.assigned)) {
      try store.extendRenewal(of: seat, byDays: 1, at: day(7))
    }
  }

  @Test mutating func `a mass extension stays within its storefronts`() throws {
    let german = store.enroll("Dirk", storefront: try #require(Storefront(code: "DEU")))
    try store.buy(SimulatedProduct.basic.id, by: german, at: day(0))
    let done = try store.extendRenewals(
      ofProduct: SimulatedProduct.basic.id, byDays: 5, in: ["DEU"], requestIdentifier: "r",
      at: day(1))
    #expect(done.succeeded == 1 && done.failed == 0)
    #expect(store.massExtensions == [done])
    let summary = store.notifications.last?.payload.summary
    #expect(summary?.storefrontCountryCodes == ["DEU"])
  }
}
