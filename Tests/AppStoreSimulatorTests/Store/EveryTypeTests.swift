import AppStoreModel
import Testing

@testable import AppStoreSimulator

/// Everything that Apple lists can be said, in the right object and with the right members.
struct EveryTypeTests {
  /// Types with their subtypes, the object that holds the rest, and the kinds of thing it is about.
  ///
  /// Source: Apple's `notificationType` and `subtype`, as of October 2026.
  static let table = """
    CONSUMPTION_REQUEST                            data      any
    DID_CHANGE_RENEWAL_PREF                        data      subscription
    DID_CHANGE_RENEWAL_PREF/DOWNGRADE              data      subscription
    DID_CHANGE_RENEWAL_PREF/UPGRADE                data      subscription
    DID_CHANGE_RENEWAL_STATUS                      data      subscription
    DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED  data      subscription
    DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED   data      subscription
    DID_FAIL_TO_RENEW                              data      subscription
    DID_FAIL_TO_RENEW/GRACE_PERIOD                 data      subscription
    DID_RENEW                                      data      subscription
    DID_RENEW/BILLING_RECOVERY                     data      subscription
    EXPIRED                                        data      subscription
    EXPIRED/BILLING_RETRY                          data      subscription
    EXPIRED/PRICE_INCREASE                         data      subscription
    EXPIRED/PRODUCT_NOT_FOR_SALE                   data      subscription
    EXPIRED/VOLUNTARY                              data      subscription
    EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER  token     nothing
    EXTERNAL_PURCHASE_TOKEN/CREATED                token     nothing
    EXTERNAL_PURCHASE_TOKEN/UNREPORTED             token     nothing
    GRACE_PERIOD_EXPIRED                           data      subscription
    METADATA_UPDATE                                data      subscription
    MIGRATION                                      data      subscription
    OFFER_REDEEMED                                 data      subscription
    OFFER_REDEEMED/DOWNGRADE                       data      subscription
    OFFER_REDEEMED/UPGRADE                         data      subscription
    ONE_TIME_CHARGE                                data      oneTime
    PRICE_CHANGE                                   data      subscription
    PRICE_INCREASE/ACCEPTED                        data      subscription
    PRICE_INCREASE/PENDING                         data      subscription
    REFUND                                         data      any
    REFUND_DECLINED                                data      any
    REFUND_REVERSED                                data      any
    RENEWAL_EXTENDED                               data      subscription
    RENEWAL_EXTENSION/FAILURE                      data      subscription
    RENEWAL_EXTENSION/SUMMARY                      summary   nothing
    RESCIND_CONSENT                                appData   nothing
    REVOKE                                         data      any
    SUBSCRIBED/INITIAL_BUY                         data      subscription
    SUBSCRIBED/RESUBSCRIBE                         data      subscription
    TEST                                           data      nothing
    """

  static let rows = table.split(separator: "\n").map {
    $0.split(separator: " ").map(String.init)
  }

  /// What the stories leave out.
  static let rest = """
    {
      products: [
        {
          id: 'x.basic', type: 'subscription', level: 2,
          offers: [{ type: 'promotional', id: 'stay', price: '1' }],
        },
        {
          id: 'x.pro', type: 'subscription',
          offers: [{ type: 'promotional', id: 'rise', price: '2' }],
        },
      ],
      steps: [
        { buy: 'basic', by: 'ada' },
        { after: '1d', redeem: 'ada.basic', offer: 'rise', to: 'pro' },
        { after: '1d', redeem: 'ada.basic', offer: 'stay', to: 'basic' },
        { after: '1d', raisePrice: 'ada.basic', to: '14.99' },
        { after: '1d', refusePrice: 'ada.basic' },
        { expire: 'ada.basic', because: 'notForSale' },
        { buy: 'pro', by: 'ben' },
        { expire: 'ben.pro', because: 'other' },
      ],
    }
    """

  static let said: [UnsignedNotification] = {
    let end = ScenarioTests.end
    let stories = Scenario.all.filter { !["31", "34"].contains($0.name.prefix(2)) }
    let more = try? Scenario(json5: Array(rest.utf8), name: "rest")
    return (stories + [more].compactMap { $0 }).flatMap {
      (try? $0.played(seed: 1, endingAt: end).notifications) ?? []
    }
  }()

  @Test(arguments: rows)
  func `a type and its subtype are said in the right object`(row: [String]) throws {
    let found = Self.said.filter { $0.title == row[0] }
    #expect(!found.isEmpty)
    for notification in found {
      let payload = notification.payload
      let objects: [(String, Bool)] = [
        ("data", payload.data != nil), ("summary", payload.summary != nil),
        ("token", payload.externalPurchaseToken != nil), ("appData", payload.appData != nil),
      ]
      #expect(objects.filter(\.1).map(\.0) == [row[1]])
      #expect(payload.notificationUUID != nil && payload.signedDate != nil)
      #expect(payload.version == "2.0")
      try check(notification, about: row[2])
    }
  }

  private func check(_ notification: UnsignedNotification, about subject: String) throws {
    guard subject != "nothing" else {
      #expect(notification.transaction == nil && notification.renewal == nil)
      return
    }
    let transaction = try #require(notification.transaction)
    let isSubscription = transaction.type == .autoRenewableSubscription
    #expect(subject == "any" || isSubscription == (subject == "subscription"))
    #expect((notification.renewal != nil) == isSubscription)
    #expect((notification.payload.data?.status != nil) == isSubscription)
    #expect(
      transaction.transactionId != nil && transaction.originalTransactionId != nil
        && transaction.productId != nil && transaction.purchaseDate != nil)
    #expect((transaction.expiresDate != nil) == isSubscription)
    #expect((transaction.subscriptionGroupIdentifier != nil) == isSubscription)
    #expect((transaction.webOrderLineItemId != nil) == isSubscription)
    #expect((transaction.price != nil) == (transaction.inAppOwnershipType == .purchased))
  }

  @Test func `nothing is said that Apple does not list`() {
    #expect(Set(Self.said.map(\.title)) == Set(Self.rows.map { $0[0] }))
  }

  private func first(_ title: String) throws -> UnsignedNotification {
    try #require(Self.said.first { $0.title == title })
  }

  @Test func `a consumption request says why, and nothing else does`() {
    for notification in Self.said {
      let asks = notification.payload.notificationType == .consumptionRequest
      #expect((notification.payload.data?.consumptionRequestReason != nil) == asks)
    }
  }

  @Test func `a summary counts, a token has its dates, and consent brings the download`() throws {
    let summary = try #require(try first("RENEWAL_EXTENSION/SUMMARY").payload.summary)
    #expect(summary.succeededCount == 2)
    #expect(summary.failedCount == 1)
    #expect(summary.productId == "com.example.app.pro")
    #expect(summary.requestIdentifier != nil)
    let token = try #require(
      try first("EXTERNAL_PURCHASE_TOKEN/CREATED").payload.externalPurchaseToken)
    #expect(token.externalPurchaseId?.hasPrefix("SANDBOX") == true)
    #expect(token.tokenType == .acquisition)
    #expect(token.tokenCreationDate != nil && token.tokenExpirationDate != nil)
    let consent = try first("RESCIND_CONSENT")
    #expect(consent.payload.appData?.bundleId == "com.example.app")
    #expect(consent.appTransaction?.receiptType == .sandbox)
    #expect(consent.appTransaction?.appTransactionId != nil)
  }

  @Test func `a migration names the chain before, and a refund the items`() throws {
    let migration = try #require(try first("MIGRATION").transaction)
    #expect(migration.previousOriginalTransactionId != nil)
    #expect(migration.originalTransactionId == migration.transactionId)
    #expect(migration.advancedCommerceInfo?.items?.map(\.sku) == ["club.base", "club.extra"])
    let change = try first("PRICE_CHANGE").renewal?.advancedCommerceInfo?.items?.first
    #expect(change?.priceIncreaseInfo?.price == 11_990)
    let refunded = try #require(
      Self.said.first { $0.title == "REFUND" && $0.transaction?.advancedCommerceInfo != nil })
    let refund = try #require(
      refunded.transaction?.advancedCommerceInfo?.items?[1].refunds?.first)
    #expect(refund.refundAmount == 2_000)
    #expect(refund.refundType == .custom)
    #expect(refunded.transaction?.revocationDate == nil)
  }
}
