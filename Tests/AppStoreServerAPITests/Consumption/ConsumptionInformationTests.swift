import AppStoreModel
import Testing

@testable import AppStoreServerAPI

struct ConsumptionInformationTests {
  private static func subject(
    _ type: ProductType? = .consumable, _ ownership: InAppOwnershipType? = .purchased,
    commerce: Bool = false
  ) -> ConsumptionSubject {
    ConsumptionSubject(productType: type, ownership: ownership, isAdvancedCommerce: commerce)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let type: ProductType
    let delivery: DeliveryStatus
    let percentage: Int32?
    let preference: RefundPreference?
    let fault: ConsumptionFault?

    init(
      _ type: ProductType, _ delivery: DeliveryStatus, _ percentage: Int32?,
      _ preference: RefundPreference?, _ fault: ConsumptionFault?
    ) {
      self.type = type
      self.delivery = delivery
      self.percentage = percentage
      self.preference = preference
      self.fault = fault
    }

    var testDescription: String {
      "\(type) \(delivery) \(String(describing: percentage)) \(String(describing: preference))"
    }
  }

  @Test(arguments: [
    Row(.consumable, .delivered, nil, nil, nil),
    Row(.consumable, .delivered, 50_000, .decline, nil),
    Row(.consumable, .delivered, 0, .grantFull, nil),
    Row(.consumable, .delivered, 100_000, .decline, nil),
    Row(.consumable, .delivered, -1, nil, .percentageOutOfRange),
    Row(.consumable, .delivered, 100_001, nil, .percentageOutOfRange),
    Row(.consumable, .undeliveredOther, 0, .grantFull, nil),
    Row(.consumable, .undeliveredOther, nil, .grantFull, nil),
    Row(.nonConsumable, .undeliveredServerOutage, 1, nil, .percentageOfUndelivered),
    Row(.consumable, .delivered, 1, .grantProrated, nil),
    Row(.nonRenewingSubscription, .delivered, 99_999, .grantProrated, nil),
    Row(.consumable, .delivered, 0, .grantProrated, .prorationWithoutPart),
    Row(.consumable, .delivered, 100_000, .grantProrated, .prorationWithoutPart),
    Row(.nonConsumable, .delivered, nil, .grantProrated, .prorationWithoutPart),
    Row(.autoRenewableSubscription, .delivered, nil, .grantProrated, nil),
    Row(.autoRenewableSubscription, .delivered, 0, nil, .percentageOfSubscription),
    Row(.autoRenewableSubscription, .undeliveredOther, 5, nil, .percentageOfSubscription),
  ])
  func `the percentage must suit product, delivery and preference`(row: Row) throws {
    let make = { () throws(ConsumptionFault) in
      try ConsumptionInformation(
        about: Self.subject(row.type), customerConsented: true, deliveryStatus: row.delivery,
        sampleContentProvided: false, consumptionPercentage: row.percentage,
        refundPreference: row.preference)
    }
    if let fault = row.fault {
      #expect(throws: fault) { try make() }
    } else {
      #expect(try make().consumptionPercentage == row.percentage)
    }
  }

  @Test func `without consent there is no answer, whatever else is wrong`() {
    for commerce in [false, true] {
      let subject = Self.subject(.consumable, .familyShared, commerce: commerce)
      #expect(throws: ConsumptionFault.noConsent) {
        try ConsumptionInformation(
          about: subject, customerConsented: false, deliveryStatus: .delivered,
          sampleContentProvided: false, consumptionPercentage: -1)
      }
      #expect(throws: ConsumptionFault.noConsent) {
        try ConsumptionInformationV1(
          about: subject, customerConsented: false, deliveryStatus: .other,
          sampleContentProvided: false)
      }
    }
  }

  @Test(arguments: [InAppOwnershipType.familyShared, .assigned, .unknown("LENT")])
  func `what the customer did not buy has no answer`(ownership: InAppOwnershipType) {
    #expect(throws: ConsumptionFault.notPurchased) {
      try Self.subject(.consumable, ownership).version()
    }
  }

  @Test func `Advanced Commerce takes version 1 and the rest takes version 2`() throws {
    #expect(try Self.subject().version() == .v2)
    #expect(try Self.subject(commerce: true).version() == .v1)
    #expect(throws: ConsumptionFault.advancedCommerce) {
      try ConsumptionInformation(
        about: Self.subject(commerce: true), customerConsented: true, deliveryStatus: .delivered,
        sampleContentProvided: false)
    }
    #expect(throws: ConsumptionFault.notAdvancedCommerce) {
      try ConsumptionInformationV1(
        about: Self.subject(.nonRenewingSubscription), customerConsented: true,
        deliveryStatus: .deliveredAndWorking, sampleContentProvided: false)
    }
  }

  @Test func `a transaction is its own subject`() {
    var transaction = JWSTransactionDecodedPayload()
    transaction.type = .consumable
    transaction.inAppOwnershipType = .purchased
    #expect(ConsumptionSubject(transaction) == Self.subject())
    transaction.advancedCommerceInfo = AdvancedCommerceTransactionInfo()
    #expect(ConsumptionSubject(transaction) == Self.subject(commerce: true))
  }

  @Test func `version 2 always says how it was delivered and never what is unknown`() throws {
    let answer = try ConsumptionInformation(
      about: Self.subject(), customerConsented: true, deliveryStatus: .delivered,
      sampleContentProvided: true)
    #expect(
      String(decoding: answer.json, as: UTF8.self)
        == #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":true}"#)
    let full = try ConsumptionInformation(
      about: Self.subject(), customerConsented: true, deliveryStatus: .delivered,
      sampleContentProvided: false, consumptionPercentage: 25_000, refundPreference: .grantProrated)
    #expect(
      String(decoding: full.json, as: UTF8.self).hasSuffix(
        #""consumptionPercentage":25000,"refundPreference":"GRANT_PRORATED"}"#))
  }

  @Test func `version 1 sends every member, with an empty text for no token`() throws {
    let answer = try ConsumptionInformationV1(
      about: Self.subject(commerce: true), customerConsented: true, deliveryStatus: .serverOutage,
      sampleContentProvided: false)
    #expect(
      String(decoding: answer.json, as: UTF8.self)
        == #"{"accountTenure":0,"appAccountToken":"","consumptionStatus":0,"#
        + #""customerConsented":true,"deliveryStatus":3,"lifetimeDollarsPurchased":0,"#
        + #""lifetimeDollarsRefunded":0,"platform":0,"playTime":0,"refundPreference":0,"#
        + #""sampleContentProvided":false,"userStatus":0}"#)
    #expect(throws: ConsumptionFault.badAccountToken) {
      try ConsumptionInformationV1(
        about: Self.subject(commerce: true), customerConsented: true, deliveryStatus: .other,
        sampleContentProvided: false, appAccountToken: "someone")
    }
  }

  @Test func `every fault says what and advises`() {
    let faults = ConsumptionFault.allCases
    #expect(Set(faults.map(\.description)).count == faults.count)
    #expect(faults.allSatisfy { !$0.advice.isEmpty && !$0.isTransient })
    #expect(ConsumptionFault.noConsent.appleCode?.rawValue == 4_000_035)
    #expect(ConsumptionFault.percentageOfSubscription.appleCode?.rawValue == 4_000_209)
    #expect(ConsumptionFault.percentageOfUndelivered.appleCode == nil)
  }
}
