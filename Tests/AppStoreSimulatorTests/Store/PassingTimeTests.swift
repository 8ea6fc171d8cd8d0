import AppStoreModel
import AppStoreSimulator
import Testing

/// What the store does by itself while time passes.
struct PassingTimeTests {
  static let start = Timestamp(millisecondsSince1970: 1_780_000_000_000)

  var store = SimulatedAppStore(seed: 1)
  let ada: Customer
  let chain: String

  init() throws {
    ada = store.enroll("Ada")
    chain = try store.buy(SimulatedProduct.pro.id, by: ada, at: Self.start)
  }

  func day(_ count: Int64) -> Timestamp { Self.start.adding(.days(count)) }

  mutating func pass(_ from: Int64, _ to: Int64) throws -> [String] {
    let said = store.notifications.count
    try store.pass(from: day(from), to: day(to))
    return store.notifications[said...].map(\.title)
  }

  @Test mutating func `a subscription that is paid goes on`() throws {
    #expect(store.nextStep() == day(30).subtracting(.hours(1)))
    #expect(try pass(0, 95) == ["DID_RENEW", "DID_RENEW", "DID_RENEW"])
    #expect(store.grants(SimulatedProduct.pro.id, to: ada, at: day(95)))
    #expect(try pass(95, 96) == [])
  }

  @Test mutating func `one that is turned off ends once`() throws {
    try store.setAutoRenewal(false, of: chain, at: day(3))
    #expect(try pass(3, 400) == ["EXPIRED/VOLUNTARY"])
    #expect(store.nextStep() == nil)
  }

  @Test mutating func `without money it is tried for 60 days`() throws {
    store.policy.grace = .days(16)
    store.setPayments(of: ada, succeed: false)
    #expect(
      try pass(0, 100) == [
        "DID_FAIL_TO_RENEW/GRACE_PERIOD", "GRACE_PERIOD_EXPIRED", "EXPIRED/BILLING_RETRY",
      ])
    let dates = store.notifications.dropFirst().compactMap(\.payload.signedDate)
    #expect(dates == [day(30), day(46), day(90)])
  }

  @Test mutating func `with money again it recovers`() throws {
    store.setPayments(of: ada, succeed: false)
    #expect(try pass(0, 40) == ["DID_FAIL_TO_RENEW"])
    #expect(!store.grants(SimulatedProduct.pro.id, to: ada, at: day(40)))
    store.setPayments(of: ada, succeed: true)
    #expect(try pass(40, 41) == ["DID_RENEW/BILLING_RECOVERY"])
    #expect(store.grants(SimulatedProduct.pro.id, to: ada, at: day(69)))
  }

  @Test mutating func `a dearer price that nobody accepts ends it`() throws {
    let price = Money(milliunits: 12_990, currency: Currency(code: "USD"))
    try store.raisePrice(of: chain, to: price, at: day(3))
    #expect(try pass(3, 60) == ["EXPIRED/PRICE_INCREASE"])
  }

  @Test mutating func `a dearer price that needs no consent is paid, and stays`() throws {
    let price = Money(milliunits: 12_990, currency: Currency(code: "USD"))
    try store.raisePrice(of: chain, to: price, needsConsent: false, at: day(3))
    #expect(store.notifications.last?.title == "PRICE_INCREASE/ACCEPTED")
    #expect(try pass(3, 62) == ["DID_RENEW", "DID_RENEW"])
    #expect(store.notifications.suffix(2).map(\.transaction?.price) == [12_990, 12_990])
    #expect(store.notifications.last?.renewal?.priceIncreaseStatus == nil)
  }

  @Test mutating func `a commitment is paid to its end, and then made again or not`() throws {
    let year = SimulatedProduct(
      id: "x.year", type: .autoRenewableSubscription,
      price: Money(milliunits: 5_000, currency: Currency(code: "USD")), period: .days(30),
      group: "g", commitment: 3)
    store = SimulatedAppStore(catalog: [year], seed: 1)
    let bea = store.enroll("Bea")
    let chain = try store.buy(year.id, by: bea, at: day(0))
    #expect(try pass(0, 95) == ["DID_RENEW", "DID_RENEW", "DID_RENEW"])
    let numbers = store.notifications.map(\.transaction?.commitmentInfo?.billingPeriodNumber)
    #expect(numbers == [1, 2, 3, 1])
    try store.setAutoRenewal(false, of: chain, at: day(95))
    #expect(try pass(95, 400) == ["DID_RENEW", "DID_RENEW", "EXPIRED/VOLUNTARY"])
  }

  /// An answer, and what Apple decides at the deadline.
  @Test(arguments: [
    (nil, true, "REFUND_FULL 100000"), (nil, false, ""),
    (ConsumptionAnswer(preference: .decline), true, ""),
    (ConsumptionAnswer(preference: .grantFull), false, "REFUND_FULL 100000"),
    (
      ConsumptionAnswer(
        preference: .grantProrated, consumed: RevokedShare(percentMilliunits: 66_667)), true,
      "REFUND_PRORATED 33333"
    ),
    (ConsumptionAnswer(preference: .grantProrated), true, "REFUND_PRORATED 50000"),
  ])
  mutating func `a request for money is decided by the answer`(
    answer: ConsumptionAnswer?, grantsUnanswered: Bool, result: String
  ) throws {
    store.policy.grantsUnanswered = grantsUnanswered
    let coins = try store.buy(SimulatedProduct.coins.id, by: ada, quantity: 3, at: day(1))
    try store.requestRefund(of: coins, at: day(2))
    #expect(store.refundRequests[coins]?.deadline == day(2).adding(.minutes(5)))
    if let answer { try store.answerRefundRequest(of: coins, answer) }
    #expect(try pass(2, 3) == [result.isEmpty ? "REFUND_DECLINED" : "REFUND"])
    let copy = try #require(store.copy(of: coins, signedAt: day(3)))
    let type = copy.revocationType.map { "\($0.rawValue) \(copy.revocationPercentage ?? 0)" }
    #expect(type ?? "" == result)
    #expect(throws: StoreRefusal.noRefundRequest(coins)) {
      try store.answerRefundRequest(of: coins, ConsumptionAnswer())
    }
  }

  @Test mutating func `a subscription's part goes by time, whatever was consumed`() throws {
    try store.requestRefund(of: chain, because: .fulfillmentIssue, at: day(15))
    try store.answerRefundRequest(
      of: chain, ConsumptionAnswer(preference: .grantProrated, consumed: .whole))
    let decision = try store.decideRefund(of: chain, at: day(15))
    #expect(decision == .prorated(try #require(RevokedShare(percentMilliunits: 50_000))))
    #expect(store.notifications.last?.transaction?.revocationReason == .developerIssue)
  }

  @Test mutating func `production waits half a day for an answer`() throws {
    store = SimulatedAppStore(app: SimulatedApp(environment: .production), seed: 1)
    let bea = store.enroll("Bea")
    let coins = try store.buy(SimulatedProduct.coins.id, by: bea, at: day(0))
    try store.requestRefund(of: coins, inApp: true, at: day(0))
    #expect(store.refundRequests[coins]?.deadline == day(0).adding(.hours(12)))
  }
}
