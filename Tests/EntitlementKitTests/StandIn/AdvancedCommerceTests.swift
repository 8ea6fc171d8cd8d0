import AppStoreModel
import EntitlementKitTesting
import Foundation
import StoreKit
import Testing

/// What the stand-in for StoreKit reads from the signed JSON, member by member.
struct AdvancedCommerceTests {
  private static let info = #"""
    {"requestReferenceId":"r","taxCode":"t","taxRate":"0.19","estimatedTax":190,\#
    "taxExclusivePrice":1000,"period":"P3M","descriptors":{"description":"d","displayName":"n"},\#
    "items":[{"SKU":"a","displayName":"A","description":"one","price":500,\#
    "offer":{"price":100,"period":"P2W","periodCount":2,"reason":"RETENTION"},\#
    "refunds":[{"refundDate":1780000000000,"refundAmount":250,"refundReason":"LEGAL",\#
    "refundType":"PRORATED"}],"revocationDate":1780000000000},\#
    {"SKU":"b","displayName":"B","description":"two","price":500}]}
    """#

  @Test func `the items of an Advanced Commerce purchase are read with their refunds`() throws {
    let jws = signed(#"{"transactionId":"1","advancedCommerceInfo":\#(Self.info)}"#)
    let info = try #require(StoreKit.Transaction(jws: jws).advancedCommerceInfo)
    #expect(info.requestReferenceID == "r")
    #expect(info.taxRate == Decimal(string: "0.19"))
    #expect([info.estimatedTax, info.taxExclusivePrice] == [Decimal(string: "0.19"), 1])
    #expect([info.description, info.displayName] == ["d", "n"])
    #expect(info.period == .everyThreeMonths)
    #expect(info.items.map(\.details.sku) == ["a", "b"])
    let offer = try #require(info.items[0].details.offer)
    #expect(offer.period == .everyTwoWeeks)
    #expect(offer.periodCount == 2)
    #expect(offer.reason == .retention)
    let refund = try #require(info.items[0].refunds?.first)
    #expect(refund.reason == .legal)
    #expect(refund.type == .proRated)
    #expect(refund.amount == Decimal(string: "0.25"))
    #expect(info.items.map { $0.revocationDate != nil } == [true, false])
    #expect(info.items[1].refunds == nil)
    #expect(info.items[0] != info.items[1])
  }

  @Test func `the renewal of one is read with its price increase and commitment`() throws {
    let item =
      #"{"SKU":"a","price":500,"priceIncreaseInfo":{"status":"PENDING","price":600,"dependentSKUs":["b"]}}"#
    let jws = signed(
      #"{"originalTransactionId":"1","offerType":2,"offerIdentifier":"o","#
        + #""commitmentInfo":{"commitmentRenewalPrice":9990,"commitmentAutoRenewStatus":1},"#
        + #""advancedCommerceInfo":{"consistencyToken":"c","period":"P1Y","items":[\#(item)]}}"#)
    let renewal = Product.SubscriptionInfo.RenewalInfo(jws: jws)
    let info = try #require(renewal.advancedCommerceInfo)
    #expect(info.consistencyToken == "c")
    #expect(info.period == .yearly)
    #expect(info.items.first?.priceIncreaseInfo?.status == .pending)
    #expect(info.items.first?.priceIncreaseInfo?.dependentSKUs == ["b"])
    #expect(renewal.commitmentInfo?.renewalPrice == Decimal(string: "9.99"))
    #expect(renewal.commitmentInfo?.willAutoRenew == true)
    #expect(renewal.offerType == .promotional)
    #expect(renewal.offerID == "o")
  }

  @Test(arguments: [
    (Product.SubscriptionPeriod.weekly, 7.0), (.everyThreeDays, 3), (.everyTwoWeeks, 14),
    (.monthly, 30), (.yearly, 365), (.everySixMonths, 183),
  ])
  func `a period has its range`(period: Product.SubscriptionPeriod, days: Double) {
    let begin = Date(timeIntervalSince1970: 1_775_000_000)  // The first of April.
    let range = period.dateRange(referenceDate: begin)
    #expect(range.lowerBound == begin)
    #expect(range.upperBound.timeIntervalSince(begin) == days * 86_400)
  }

  @Test func `all groups are told with their statuses, and a product by its id`() async throws {
    let device = SimulatedDevice()
    device.subscribe(to: "pro.monthly", group: "a")
    device.subscribe(to: "news", group: "b")
    try await StandIn.$device.withValue(SimulatedStoreKit(device)) {
      var groups: [String] = []
      for await (group, statuses) in Product.SubscriptionInfo.Status.all {
        groups.append("\(group) \(statuses.count)")
      }
      #expect(groups == ["a 1", "b 1"])
      let product = try await AdvancedCommerceProduct(id: "news")
      let latest = await product.latestTransaction
      #expect(latest?.unsafePayloadValue.productID == "news")
      var owned: [String] = []
      for await item in product.currentEntitlements {
        owned.append(item.unsafePayloadValue.productID)
      }
      #expect(owned == ["news"])
    }
  }

  private func signed(_ json: String) -> String { SimulatedDevice.unsigned(Array(json.utf8)) }
}
