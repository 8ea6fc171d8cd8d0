import AppStoreModel
import AppStoreSimulator
import Testing

struct SimulatedAppStoreTests {
  static let start = Timestamp(millisecondsSince1970: 1_780_000_000_000)

  var store = SimulatedAppStore(seed: 1)
  let ada: Customer
  let ben: Customer

  init() {
    ada = store.enroll("Ada")
    ben = store.enroll("Ben", withToken: false)
  }

  func day(_ count: Int64) -> Timestamp { Self.start.adding(.days(count)) }

  @Test mutating func `a purchase carries what Apple's would`() throws {
    let id = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    let notification = try #require(store.notifications.first)
    let transaction = try #require(notification.transaction)
    #expect(transaction.transactionId == id)
    #expect(transaction.originalTransactionId == id)
    #expect(transaction.bundleId == "com.example.app")
    #expect(transaction.type == .autoRenewableSubscription)
    #expect(transaction.subscriptionGroupIdentifier == "21345678")
    #expect(transaction.purchaseDate == day(0))
    #expect(transaction.originalPurchaseDate == day(0))
    #expect(transaction.expiresDate == day(30))
    #expect(transaction.signedDate == day(0))
    #expect(transaction.appAccountToken == ada.appAccountToken)
    #expect(transaction.appTransactionId == ada.appTransactionId)
    #expect(transaction.price == 9_990)
    #expect(transaction.currency == "USD")
    #expect(transaction.webOrderLineItemId != nil)
    #expect(transaction.environment == .sandbox)
    #expect(transaction.revocationDate == nil)
    let renewal = try #require(notification.renewal)
    #expect(renewal.originalTransactionId == id)
    #expect(renewal.renewalDate == day(30))
    #expect(renewal.renewalPrice == 9_990)
    #expect(renewal.recentSubscriptionStartDate == day(0))
    #expect(notification.payload.version == "2.0")
    #expect(notification.payload.data?.appAppleId == 1_234_567_890)
    #expect(notification.payload.data?.bundleVersion == "1")
  }

  @Test mutating func `what is bought once never expires and never renews`() throws {
    for product in [SimulatedProduct.coins, .themes, .season] {
      try store.buy(product.id, by: ada, at: day(0))
      let notification = try #require(store.notifications.last)
      #expect(notification.transaction?.expiresDate == nil)
      #expect(notification.transaction?.webOrderLineItemId == nil)
      #expect(notification.renewal == nil)
      #expect(notification.payload.data?.status == nil)
    }
  }

  @Test mutating func `a test says nothing of purchases`() {
    store.sendTest(at: day(0))
    #expect(store.notifications[0].transaction == nil)
    #expect(store.notifications[0].renewal == nil)
    #expect(store.notifications[0].payload.data?.status == nil)
  }

  @Test mutating func `a renewal begins where the period ends, however early it is charged`() throws
  {
    let chain = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    let renewal = try store.renew(chain, at: day(29))
    let transaction = try #require(store.copy(of: renewal, signedAt: day(29)))
    #expect(transaction.purchaseDate == day(30))
    #expect(transaction.expiresDate == day(60))
    #expect(transaction.signedDate == day(29))
    #expect(store.grants(SimulatedProduct.pro.id, to: ada, at: day(29)))
    #expect(store.grants(SimulatedProduct.pro.id, to: ada, at: day(59)))
    #expect(!store.grants(SimulatedProduct.pro.id, to: ada, at: day(60)))
  }

  @Test(arguments: [(Int64(10), Int64(30)), (20, 50)])
  mutating func `a payment within the grace period keeps the dates, a later one does not`(
    recovery: Int64, begin: Int64
  ) throws {
    let chain = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    try store.failToRenew(chain, grace: .days(16), at: day(30))
    #expect(store.grants(SimulatedProduct.pro.id, to: ada, at: day(45)))
    #expect(!store.grants(SimulatedProduct.pro.id, to: ada, at: day(46)))
    let renewal = try store.recover(chain, at: day(30 + recovery))
    #expect(store.copy(of: renewal, signedAt: day(90))?.purchaseDate == day(begin))
  }

  @Test mutating func `a reversal takes every revocation field away and leaves the end`() throws {
    let id = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    try store.refund(id, because: .developerIssue, at: day(3))
    let refunded = try #require(store.copy(of: id, signedAt: day(3)))
    #expect(refunded.revocationDate == day(3))
    #expect(refunded.revocationType == .refundFull)
    #expect(refunded.revocationPercentage == 100_000)
    #expect(refunded.revocationReason == .developerIssue)
    try store.reverseRefund(of: id, at: day(5))
    let reversed = try #require(store.notifications.last?.transaction)
    #expect(reversed.revocationDate == nil)
    #expect(reversed.revocationType == nil)
    #expect(reversed.revocationPercentage == nil)
    #expect(reversed.revocationReason == nil)
    #expect(reversed.expiresDate == day(30))
  }

  @Test mutating func `an upgrade marks what it replaces and gives no money back`() throws {
    let chain = try store.buy(SimulatedProduct.basic.id, by: ada, at: day(0))
    let upgrade = try store.upgrade(chain, to: SimulatedProduct.pro.id, at: day(10))
    #expect(store.copy(of: chain, signedAt: day(10))?.isUpgraded == true)
    #expect(store.copy(of: upgrade, signedAt: day(10))?.expiresDate == day(40))
    #expect(!store.grants(SimulatedProduct.basic.id, to: ada, at: day(10)))
    #expect(store.grants(SimulatedProduct.pro.id, to: ada, at: day(10)))
    #expect(store.refunded(in: Currency(code: "USD")).milliunits == 0)
  }

  @Test mutating func `a shared subscription follows the payer's`() throws {
    let chain = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    let share = try store.share(chain, with: ben, at: day(2))
    #expect(store.copy(of: share, signedAt: day(2))?.expiresDate == day(30))
    #expect(store.copy(of: share, signedAt: day(2))?.price == nil)
    #expect(store.copy(of: share, signedAt: day(2))?.appAccountToken == nil)
    try store.renew(chain, at: day(29))
    #expect(store.notifications.suffix(2).map(\.title) == ["DID_RENEW", "DID_RENEW"])
    #expect(store.grants(SimulatedProduct.pro.id, to: ben, at: day(45)))
  }

  @Test mutating func `a payer's refund ends the shares, and only the payer's money moves`() throws
  {
    let themes = try store.buy(SimulatedProduct.themes.id, by: ada, at: day(0))
    let share = try store.share(themes, with: ben, at: day(1))
    #expect(store.notifications.last?.title == "ONE_TIME_CHARGE")
    try store.refund(themes, because: .developerIssue, at: day(2))
    #expect(store.notifications.suffix(2).map(\.title) == ["REFUND", "REVOKE"])
    #expect(!store.grants(SimulatedProduct.themes.id, to: ben, at: day(2)))
    #expect(store.refunded(in: Currency(code: "USD")).milliunits == 9_990)
    #expect(store.copy(of: share, signedAt: day(2))?.revocationReason == .developerIssue)
    #expect(store.copy(of: share, signedAt: day(2))?.revocationPercentage == nil)
    try store.reverseRefund(of: themes, at: day(3))
    #expect(store.grants(SimulatedProduct.themes.id, to: ben, at: day(3)))
    #expect(store.refunded(in: Currency(code: "USD")).milliunits == 0)
  }

  @Test mutating func `a member who left is not renewed`() throws {
    let chain = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    let share = try store.share(chain, with: ben, at: day(2))
    try store.stopSharing(share, at: day(4))
    try store.renew(chain, at: day(29))
    #expect(store.notifications.last?.transaction?.appTransactionId == ada.appTransactionId)
    #expect(!store.grants(SimulatedProduct.pro.id, to: ben, at: day(31)))
    #expect(store.grants(SimulatedProduct.pro.id, to: ada, at: day(31)))
  }

  @Test(arguments: [(Int32(33_333), Int64(3_330)), (50_000, 4_995), (1, 0), (100_000, 9_990)])
  mutating func `a part of the price goes back, rounded once`(share: Int32, back: Int64) throws {
    let id = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    try store.refund(id, prorated: RevokedShare(percentMilliunits: share), at: day(1))
    #expect(store.refunded(in: Currency(code: "USD")).milliunits == back)
  }

  @Test mutating func `coming back within 60 days continues the run, later begins one`() throws {
    let chain = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    try store.expire(chain, at: day(30))
    try store.buy(SimulatedProduct.pro.id, by: ada, at: day(80))
    #expect(store.subscription(of: chain)?.runStart == day(0))
    try store.expire(chain, at: day(110))
    try store.buy(SimulatedProduct.pro.id, by: ada, at: day(190))
    #expect(store.subscription(of: chain)?.runStart == day(190))
    #expect(store.newestTransactionId(of: chain) != chain)
  }

  @Test mutating func `a device holds its customer's transactions and renewals, no others`() throws
  {
    let chain = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    let share = try store.share(chain, with: ben, at: day(1))
    try store.buy(SimulatedProduct.coins.id, by: ada, at: day(2))
    let adas = store.deviceTransactions(of: ada, signedAt: day(3))
    #expect(adas.map(\.productId) == ["com.example.app.pro", "com.example.app.coins"])
    #expect(adas.allSatisfy { $0.signedDate == day(3) })
    #expect(store.deviceTransactions(of: ben, signedAt: day(3)).map(\.transactionId) == [share])
    #expect(store.deviceRenewals(of: ada, signedAt: day(3)).map(\.originalTransactionId) == [chain])
    #expect(store.deviceRenewals(of: ben, signedAt: day(3)).map(\.originalTransactionId) == [share])
  }

  @Test(arguments: [
    (ExpirationIntent.customerCancelled, NotificationSubtype.voluntary as NotificationSubtype?),
    (.billingError, .billingRetry), (.noConsentToPriceIncrease, .priceIncrease),
    (.productUnavailable, .productNotForSale), (.other, nil),
  ])
  mutating func `an end says why`(intent: ExpirationIntent, subtype: NotificationSubtype?) throws {
    let chain = try store.buy(SimulatedProduct.pro.id, by: ada, at: day(0))
    try store.expire(chain, intent, at: day(30))
    #expect(store.notifications.last?.payload.subtype == subtype)
    #expect(store.notifications.last?.payload.data?.status == .expired)
  }
}
