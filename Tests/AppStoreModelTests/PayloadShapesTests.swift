import Testing

@testable import AppStoreModel

/// Payloads as the App Store shapes them, and as it may shape them tomorrow.
struct PayloadShapesTests {
  @Test func `a first purchase of a subscription`() throws {
    let json = """
      {"notificationType":"SUBSCRIBED","subtype":"INITIAL_BUY",\
      "notificationUUID":"a1","version":"2.0","signedDate":1698148900000,\
      "data":{"environment":"Production","appAppleId":9007199254740993,\
      "bundleId":"com.example.app","bundleVersion":"3.1",\
      "signedTransactionInfo":"e.t.s","signedRenewalInfo":"e.r.s","status":1}}
      """
    let payload = try notification(json)
    #expect(payload.notificationType == .subscribed)
    #expect(payload.subtype == .initialBuy)
    #expect(payload.signedDate == Timestamp(millisecondsSince1970: 1_698_148_900_000))
    #expect(payload.data?.environment == .production)
    #expect(payload.data?.appAppleId == 9_007_199_254_740_993)
    #expect(payload.data?.signedTransactionInfo == "e.t.s")
    #expect(payload.data?.signedRenewalInfo == "e.r.s")
    #expect(payload.data?.status == .active)
    #expect(payload.data?.consumptionRequestReason == nil)
    #expect(payload.summary == nil)
    #expect(payload.externalPurchaseToken == nil)
    #expect(payload.appData == nil)
    #expect(String(decoding: payload.json(), as: UTF8.self) == json)
  }

  @Test func `a question about consumption`() throws {
    let payload = try notification(
      #"{"notificationType":"CONSUMPTION_REQUEST","#
        + #""data":{"consumptionRequestReason":"UNINTENDED_PURCHASE"}}"#)
    #expect(payload.notificationType == .consumptionRequest)
    #expect(payload.subtype == nil)
    #expect(payload.data?.consumptionRequestReason == .unintendedPurchase)
  }

  @Test func `a summary stands in place of data`() throws {
    let payload = try notification(
      """
      {"notificationType":"RENEWAL_EXTENSION","subtype":"SUMMARY","summary":{\
      "requestIdentifier":"r","environment":"Sandbox","appAppleId":41,"bundleId":"b",\
      "productId":"p","storefrontCountryCodes":["CAN","USA","MEX"],"succeededCount":5,\
      "failedCount":2}}
      """)
    #expect(payload.data == nil)
    #expect(payload.summary?.storefrontCountryCodes == ["CAN", "USA", "MEX"])
    #expect(payload.summary?.succeededCount == 5)
    #expect(payload.summary?.failedCount == 2)
  }

  @Test func `an external purchase token stands in place of data`() throws {
    let payload = try notification(
      """
      {"notificationType":"EXTERNAL_PURCHASE_TOKEN","subtype":"ACTIVE_TOKEN_REMINDER",\
      "externalPurchaseToken":{"externalPurchaseId":"SANDBOX_7","tokenCreationDate":1,\
      "appAppleId":41,"bundleId":"b","tokenType":"CORE_TECHNOLOGY","tokenExpirationDate":2}}
      """)
    #expect(payload.subtype == .activeTokenReminder)
    #expect(payload.externalPurchaseToken?.externalPurchaseId == "SANDBOX_7")
    #expect(payload.externalPurchaseToken?.tokenType == .coreTechnology)
  }

  @Test func `a withdrawn consent stands in place of data`() throws {
    let payload = try notification(
      """
      {"notificationType":"RESCIND_CONSENT","appData":{"environment":"Production",\
      "appAppleId":41,"bundleId":"b","signedAppTransactionInfo":"e.a.s"}}
      """)
    #expect(payload.notificationType == .rescindConsent)
    #expect(payload.appData?.signedAppTransactionInfo == "e.a.s")
  }

  @Test func `a prorated refund keeps its thousandths of a percent`() throws {
    let payload = try transaction(
      """
      {"price":59990,"currency":"USD","revocationDate":1697679936049,"revocationReason":1,\
      "revocationType":"REFUND_PRORATED","revocationPercentage":41500}
      """)
    #expect(payload.revocationReason == .developerIssue)
    #expect(payload.revocationType == .refundProrated)
    #expect(payload.revocationPercentage == 41_500)
    #expect(payload.price == 59_990)
  }

  @Test func `two clocks of a plan with a commitment`() throws {
    let payload = try transaction(
      """
      {"expiresDate":1,"billingPlanType":"MONTHLY","commitmentInfo":{"billingPeriodNumber":6,\
      "totalBillingPeriods":12,"commitmentExpiresDate":2,"commitmentPrice":119880}}
      """)
    #expect(payload.billingPlanType == .monthly)
    #expect(payload.commitmentInfo?.billingPeriodNumber == 6)
    #expect(payload.commitmentInfo?.commitmentExpiresDate == Timestamp(millisecondsSince1970: 2))
  }

  @Test func `one item of several is refunded`() throws {
    let payload = try transaction(
      """
      {"advancedCommerceInfo":{"items":[{"SKU":"a"},{"SKU":"b","refunds":[{"refundAmount":2000,\
      "refundDate":5,"refundReason":"OTHER","refundType":"CUSTOM"}]}],"taxRate":"0.25"}}
      """)
    let items = try #require(payload.advancedCommerceInfo?.items)
    #expect(items.map(\.sku) == ["a", "b"])
    #expect(items[1].refunds?.first?.refundAmount == 2_000)
    #expect(items[1].refunds?.first?.refundType == .custom)
    #expect(payload.advancedCommerceInfo?.taxRate == "0.25")
  }

  @Test func `renewal information names the price increase of an item`() throws {
    let json = """
      {"originalTransactionId":"1","autoRenewStatus":1,"eligibleWinBackOfferIds":["x","y"],\
      "commitmentInfo":{"commitmentAutoRenewStatus":0},"advancedCommerceInfo":{"items":[\
      {"SKU":"a","priceIncreaseInfo":{"price":5,"status":"PENDING","dependentSKUs":["b"]}}]}}
      """
    let payload = try Array(json.utf8).withUnsafeBufferPointer {
      try JWSRenewalInfoDecodedPayload(json: $0)
    }
    #expect(payload.eligibleWinBackOfferIds == ["x", "y"])
    #expect(payload.commitmentInfo?.commitmentAutoRenewStatus == .off)
    let increase = payload.advancedCommerceInfo?.items?.first?.priceIncreaseInfo
    #expect(increase?.status == .pending)
    #expect(increase?.dependentSKUs == ["b"])
    #expect(payload.json().count == json.utf8.count)
  }

  @Test func `an app transaction of Xcode has a date before our era`() throws {
    let json = """
      {"receiptType":"Xcode","bundleId":"b","receiptCreationDate":1697679936049.7297,\
      "originalPurchaseDate":-62135769600000,"originalApplicationVersion":"1",\
      "requestDate":1697679936056.485}
      """
    let payload = try Array(json.utf8).withUnsafeBufferPointer {
      try AppTransactionDecodedPayload(json: $0)
    }
    #expect(payload.receiptType == .xcode)
    #expect(payload.originalPurchaseDate?.millisecondsSince1970 == -62_135_769_600_000)
    #expect(payload.receiptCreationDate?.millisecondsSince1970 == 1_697_679_936_049)
    #expect(!payload.json().isEmpty)
  }

  @Test func `nothing that Apple may add tomorrow is lost`() throws {
    let json = """
      {"type":"Subscription Bundle","inAppOwnershipType":"BORROWED","revocationReason":7,\
      "revocationType":"ASSIGNMENT_REVOKE_X","offerType":9,"environment":"Orbit",\
      "bundleProductID":"p","nested":{"price":1.50,"list":[{"x":null}]}}
      """
    let payload = try transaction(json)
    #expect(payload.type == .unknown("Subscription Bundle"))
    #expect(payload.inAppOwnershipType == .unknown("BORROWED"))
    #expect(payload.revocationReason == .unknown(7))
    #expect(payload.revocationType == .unknown("ASSIGNMENT_REVOKE_X"))
    #expect(payload.offerType == .unknown(9))
    #expect(payload.environment == .unknown("Orbit"))
    #expect(!payload.unknownMembers.isEmpty)
    #expect(payload.unknownMembers.members.map(\.name) == ["bundleProductID", "nested"])
    #expect(try transaction(String(decoding: payload.json(), as: UTF8.self)) == payload)
  }

  @Test func `an unknown type and subtype are kept as they were sent`() throws {
    let json = #"{"notificationType":"SOMETHING_2027","subtype":"NEW","later":{"a":1}}"#
    let payload = try notification(json)
    #expect(payload.notificationType == .unknown("SOMETHING_2027"))
    #expect(payload.subtype == .unknown("NEW"))
    #expect(String(decoding: payload.json(), as: UTF8.self) == json)
  }

  @Test func `an App Store id in quotes is refused`() {
    let error = #expect(throws: MalformedPayload.self) {
      try notification(#"{"data":{"appAppleId":"41234"}}"#)
    }
    #expect(error?.path == "data.appAppleId")
    #expect(error?.reason == .wrongType(expected: "a number", found: "text"))
  }

  @Test func `a hundred thousand unknown members take no time`() throws {
    let members = (0..<100_000).map { "\"m\($0)\":0" }.joined(separator: ",")
    #expect(try transaction("{\(members)}").unknownMembers.members.count == 100_000)
  }

  @Test func `a proof travels with its payload`() {
    let opaque = Opaque(json: [0x5B, 0x5D], reason: "an object expected, found an array")
    let moment = Timestamp(millisecondsSince1970: 5)
    let proved = Verified(proved: opaque, realm: .apple, judgedAt: moment)
    let restored = Verified(restoring: opaque, realm: .apple, judgedAt: moment)
    #expect(proved.payload == restored.payload)
    #expect(proved.realm == restored.realm)
    #expect(proved.judgedAt == restored.judgedAt)
  }

  private func notification(_ json: String) throws -> ResponseBodyV2DecodedPayload {
    try Array(json.utf8).withUnsafeBufferPointer { try ResponseBodyV2DecodedPayload(json: $0) }
  }

  private func transaction(_ json: String) throws -> JWSTransactionDecodedPayload {
    try Array(json.utf8).withUnsafeBufferPointer { try JWSTransactionDecodedPayload(json: $0) }
  }
}
