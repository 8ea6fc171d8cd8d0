import AppStoreModel
import AppStoreServerAPI
import EntitlementLedger
import LedgerStorage
import Testing

@testable import LedgerServer

/// What is answered, by policy and by what is recorded.
struct ConsumptionDecisionTests {
  private typealias Policy = Configuration.ConsumptionPolicy

  private static func decide(
    _ due: DueRequest, _ answer: Configuration.ConsumptionPolicy.Answer,
    _ delivery: DeliveryStatus? = nil, isConfigured: Bool = true
  ) -> ConsumptionDecision {
    ConsumptionDecision(due, .sample(answer, delivery: delivery), isConfigured: isConfigured)
  }

  private static func said(_ decision: ConsumptionDecision) -> String {
    switch decision {
    case .send(let answer): "\(answer.version) \(answer.said)"
    case .withhold(let reason): reason.rawValue
    case .invalid(let fault): "invalid \(fault)"
    }
  }

  @Test(
    arguments: [
      (.familyShared, .decline, true, true, "familyShared"),
      (.assigned, .decline, true, true, "assigned"),
      (.unknown("LENT"), .decline, true, true, "unknownOwnership"),
      (nil, .decline, true, true, "unknownOwnership"),
      (.familyShared, .none, nil, false, "familyShared"),
      (.purchased, .none, true, true, "policy"),
      (.purchased, .decline, nil, true, "noConsent"),
      (.purchased, .decline, false, true, "noConsent"),
      (.purchased, .decline, true, false, "notConfigured"),
      (.purchased, .decline, true, true, "deliveryUnknown"),
    ] as [(InAppOwnershipType?, Configuration.ConsumptionPolicy.Answer, Bool?, Bool, String)])
  func `nothing is sent without a right, a will, a consent, a key and a delivery`(
    ownership: InAppOwnershipType?, answer: Configuration.ConsumptionPolicy.Answer, consent: Bool?,
    isConfigured: Bool, expected: String
  ) throws {
    let due = try DueRequest.sample(ownership: ownership, consent: consent)
    #expect(Self.said(Self.decide(due, answer, isConfigured: isConfigured)) == expected)
  }

  /// Spent of 10 USD, by product type and policy.
  @Test(
    arguments: [
      (
        .consumable, .decline, 2_500, #""consumptionPercentage":25000,"refundPreference":"DECLINE""#
      ),
      (
        .consumable, .grant, 2_500,
        #""consumptionPercentage":25000,"refundPreference":"GRANT_FULL""#
      ),
      (
        .consumable, .prorated, 3_333,
        #""consumptionPercentage":33330,"refundPreference":"GRANT_PRORATED""#
      ),
      (
        .nonConsumable, .prorated, 10_001,
        #""consumptionPercentage":100000,"refundPreference":"DECLINE""#
      ),
      (
        .nonRenewingSubscription, .prorated, 0,
        #""consumptionPercentage":0,"refundPreference":"GRANT_FULL""#
      ),
      (.autoRenewableSubscription, .prorated, 2_500, #""refundPreference":"GRANT_PRORATED""#),
      (.autoRenewableSubscription, .decline, 2_500, #""refundPreference":"DECLINE""#),
    ] as [(ProductType, Configuration.ConsumptionPolicy.Answer, Int64, String)])
  func `recorded spend says that it was delivered, and how much of it was used`(
    type: ProductType, answer: Configuration.ConsumptionPolicy.Answer, spent: Int64, said: String
  ) throws {
    let due = try DueRequest.sample(type: type, spent: [.dollars(spent)])
    #expect(
      Self.said(Self.decide(due, answer, .undeliveredOther))
        == #"2 {"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false,"#
        + said + "}")
  }

  @Test(
    arguments: [
      ([], 10_000),
      ([Cost.dollars(5), Cost.milliunits(5, "EUR")], 10_000),
      ([.milliunits(5, "EUR")], 10_000),
      ([Cost.dollars(5)], nil), ([Cost.dollars(5)], 0),
    ] as [([Cost], Int64?)])
  func `a share that nothing tells is left out, and a prorated refund then not asked for`(
    spent: [Cost], price: Int64?
  ) throws {
    let due = try DueRequest.sample(spent: spent, price: price)
    #expect(
      Self.said(Self.decide(due, .decline, .delivered))
        == #"2 {"customerConsented":true,"deliveryStatus":"DELIVERED","#
        + #""sampleContentProvided":false,"refundPreference":"DECLINE"}"#)
    #expect(Self.decide(due, .prorated, .delivered) == .withhold(.shareUnknown))
  }

  /// Used and filled credits, whatever serving them has cost.
  @Test(
    arguments: [
      (1, 2, #""consumptionPercentage":50000,"refundPreference":"GRANT_PRORATED""#),
      (0, 100, #""consumptionPercentage":0,"refundPreference":"GRANT_FULL""#),
      (100, 100, #""consumptionPercentage":100000,"refundPreference":"DECLINE""#),
      (1, 3, #""consumptionPercentage":33333,"refundPreference":"GRANT_PRORATED""#),
    ] as [(Int64, Int64, String)])
  func `of a consumable that filled a balance, the credits tell how much was used`(
    used: Int64, filled: Int64, said: String
  ) throws {
    let due = try DueRequest.sample(
      spent: [.dollars(9_000)], credits: CreditUse(filled: filled, used: used))
    #expect(
      Self.said(Self.decide(due, .prorated, .delivered))
        == #"2 {"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false,"#
        + said + "}")
  }

  @Test func `what was not delivered was not used`() throws {
    let due = try DueRequest.sample()
    #expect(
      Self.said(Self.decide(due, .prorated, .undeliveredServerOutage))
        == #"2 {"customerConsented":true,"deliveryStatus":"UNDELIVERED_SERVER_OUTAGE","#
        + #""sampleContentProvided":false,"consumptionPercentage":0,"#
        + #""refundPreference":"GRANT_FULL"}"#)
  }

  /// Delivery, consumption status and preference in the numbers of version 1.
  @Test(
    arguments: [
      (.decline, .delivered, [.dollars(2_500)], [0, 2, 2]),
      (.grant, .undeliveredQualityIssue, [], [1, 1, 1]),
      (.grant, .undeliveredWrongItem, [], [2, 1, 1]),
      (.grant, .undeliveredServerOutage, [], [3, 1, 1]),
      (.grant, .undeliveredOther, [], [5, 1, 1]),
      (.prorated, .delivered, [], [0, 0, 3]),
      (.prorated, .delivered, [.dollars(10_000)], [0, 3, 2]),
    ] as [(Configuration.ConsumptionPolicy.Answer, DeliveryStatus, [Cost], [Int64])])
  func `an Advanced Commerce purchase is answered in version 1, undeclared where nothing is known`(
    answer: Configuration.ConsumptionPolicy.Answer, delivery: DeliveryStatus, spent: [Cost],
    numbers: [Int64]
  ) throws {
    let due = try DueRequest.sample(advanced: true, spent: spent)
    guard case .send(let sent) = Self.decide(due, answer, delivery) else {
      Issue.record("It is answered.")
      return
    }
    #expect(sent.version == 1)
    let said = try JSONValue(json: Array(sent.said.utf8))
    #expect(
      ["deliveryStatus", "consumptionStatus", "refundPreference"].map { said[$0]?.integer }
        == numbers)
    #expect(said["customerConsented"] == .bool(true))
    #expect(said["appAccountToken"]?.string == "3f2504e0-4f89-41d3-9a0c-0305e82c3301")
    let undeclared = [
      "accountTenure", "playTime", "platform", "userStatus", "lifetimeDollarsPurchased",
      "lifetimeDollarsRefunded",
    ]
    #expect(undeclared.allSatisfy { said[$0]?.integer == 0 })
  }
}
