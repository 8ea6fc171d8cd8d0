import AppStoreModel
import Testing

@testable import clawback

/// What a support engineer reads about purchases, refunds and renewals.
struct ExplanationTests {
  @Test func `a refund of an earlier renewal leaves the subscription active`() {
    var refund = Refund(status: .active)
    refund.transaction.expiresDate = day(30)
    #expect(
      refund.text
        == "The App Store refunded a purchase. It is a refund of an earlier renewal. "
        + "The subscription itself stays active until 1970-04-11T00:00:00Z: "
        + "take the money into account, not the access. 100 % of 9.99 USD goes back. "
        + "Transaction 7: the auto-renewable subscription pro, without a customer's token, "
        + "bought 1970-01-01T00:00:00Z, "
        + "paid until 1970-01-31T00:00:00Z.")
  }

  @Test(
    arguments: [
      (.active, "another one covers the present. The subscription itself stays active until"),
      (.billingGracePeriod, "The subscription itself stays active until 1970-04-11T00:00:00Z"),
      (.revoked, "access ended at the revocation date"),
      (.expired, "no access to take"),
      (.billingRetry, "no access to take"),
      (.unknown(9), "The subscription's status is 9, which is not known"),
      (nil, "decide by all transactions"),
    ] as [(SubscriptionStatus?, String)])
  func `the status tells what a refund does to access`(status: SubscriptionStatus?, words: String) {
    #expect(Refund(status: status).text.contains(words))
  }

  @Test func `a refund of credits takes them and the money`() {
    var refund = Refund(status: nil)
    refund.transaction.type = .consumable
    refund.transaction.expiresDate = nil
    refund.transaction.revocationPercentage = 33_330
    refund.transaction.revocationReason = .developerIssue
    #expect(refund.text.contains("because of a real or perceived problem with the app."))
    #expect(refund.text.contains("33.33 % of 9.99 USD goes back."))
  }

  @Test func `a member who loses a share loses no money`() {
    var notification = ResponseBodyV2DecodedPayload()
    notification.notificationType = .revoke
    var transaction = Refund(status: nil).transaction
    transaction.inAppOwnershipType = .familyShared
    transaction.revocationType = .familyRevoke
    let text = Explanation(notification: notification, transaction: transaction).text
    #expect(text.contains("this member loses access, and no money moves"))
    #expect(text.contains("shared by a family member"))
    #expect(!text.contains("goes back"))
  }

  @Test func `a reversal is said to undo the refund`() {
    var notification = ResponseBodyV2DecodedPayload()
    notification.notificationType = .refundReversed
    let text = Explanation(notification: notification, transaction: purchase()).text
    #expect(text.contains("The revocation is gone from the transaction"))
  }

  private static let revokedRows:
    [(@Sendable (inout JWSTransactionDecodedPayload) -> Void, String)] = [
      ({ $0.revocationType = .assignmentRevoke }, "The seat was withdrawn"),
      ({ $0.revocationReason = .upgradedToBundle }, "moved to a bundle"),
      ({ $0.inAppOwnershipType = .familyShared }, "Family Sharing of it ended"),
      ({ $0.revocationReason = .other }, "for another reason than a problem with the app"),
      ({ $0.revocationReason = .unknown(7) }, "for a reason with the unknown number 7"),
      ({ $0.revocationReason = nil }, "without a stated reason"),
      ({ $0.price = nil }, "100 % of the price goes back; the payload names no price."),
      ({ $0.revocationPercentage = 41_250 }, "41.25 % of 9.99 USD goes back."),

    ]

  @Test(arguments: revokedRows)
  func `a revoked transaction tells why and how much`(
    change: @Sendable (inout JWSTransactionDecodedPayload) -> Void, words: String
  ) {
    var transaction = Refund(status: nil).transaction
    change(&transaction)
    #expect(Explanation(transaction: transaction).text.contains(words))
  }

  private static let purchaseRows:
    [(@Sendable (inout JWSTransactionDecodedPayload) -> Void, String)] = [
      ({ $0.type = .nonConsumable }, "the non-consumable pro"),
      ({ $0.type = .consumable }, "the consumable pro"),
      ({ $0.type = .nonRenewingSubscription }, "the non-renewing subscription pro"),
      ({ $0.type = .unknown("Suite") }, "a product of the unknown type \u{201C}Suite\u{201D}, pro"),
      ({ $0.type = nil }, "Transaction 7: the product pro"),
      ({ $0.inAppOwnershipType = .assigned }, "a seat that somebody else pays for"),
      ({ $0.inAppOwnershipType = .unknown("LENT") }, "owned in the unknown way LENT"),
      ({ $0.isUpgraded = true }, "replaced by an upgrade"),
      ({ $0.transactionId = nil }, "Transaction without id"),
      ({ $0.productId = nil }, "an unnamed product"),
      (
        { $0.appAccountToken = "3F2504E0-4F89-41D3-9A0C-0305E82C3301" },
        ", for the customer with the token 3f2504e0-4f89-41d3-9a0c-0305e82c3301, bought"
      ),
      ({ $0.appAccountToken = nil }, "pro, without a customer's token, bought"),
      ({ $0.quantity = 3 }, "pro, 3 of it, "), ({ $0.quantity = 1 }, "pro, without"),

    ]

  @Test(arguments: purchaseRows)
  func `a purchase tells what it is and whose`(
    change: @Sendable (inout JWSTransactionDecodedPayload) -> Void, words: String
  ) {
    var transaction = purchase()
    change(&transaction)
    #expect(Explanation(transaction: transaction).text.contains(words))
  }

  private static let renewalRows:
    [(@Sendable (inout JWSRenewalInfoDecodedPayload) -> Void, String)] = [
      ({ $0.autoRenewStatus = .on }, "It will renew as pro at 1970-01-31T00:00:00Z."),
      ({ $0.autoRenewStatus = .off }, "It will not renew; what is paid runs out"),
      ({ $0.autoRenewStatus = .unknown(3) }, "Whether it renews has the unknown number 3."),
      ({ $0.isInBillingRetryPeriod = true }, "Apple is trying to collect the payment."),
      ({ $0.expirationIntent = .customerCancelled }, "because the customer cancelled"),
      ({ $0.expirationIntent = .billingError }, "because the payment failed"),
      ({ $0.expirationIntent = .noConsentToPriceIncrease }, "without consent to a price increase"),
      ({ $0.expirationIntent = .productUnavailable }, "the product is not for sale any more"),
      ({ $0.expirationIntent = .other }, "It ended for another reason."),
      ({ $0.expirationIntent = .unknown(6) }, "a reason with the unknown number 6"),
      ({ $0.gracePeriodExpiresDate = day(31) }, "the grace period until 1970-02-01T00:00:00Z"),

    ]

  @Test(arguments: renewalRows)
  func `renewal information tells what comes next`(
    change: @Sendable (inout JWSRenewalInfoDecodedPayload) -> Void, words: String
  ) {
    var renewal = JWSRenewalInfoDecodedPayload()
    renewal.originalTransactionId = "7"
    renewal.autoRenewProductId = "pro"
    renewal.renewalDate = day(30)
    change(&renewal)
    let text = Explanation(renewal: renewal).text
    #expect(text.hasPrefix("Renewal information of subscription 7."))
    #expect(text.contains(words))
  }

  @Test func `an app transaction is the download of an app`() {
    #expect(Explanation().text.hasPrefix("The download of an app"))
  }
}

/// A refund of a purchase that ends on day 60, signed on day 40.
private struct Refund {
  var status: SubscriptionStatus?
  var transaction: JWSTransactionDecodedPayload

  init(status: SubscriptionStatus?) {
    self.status = status
    transaction = purchase()
    transaction.expiresDate = day(60)
    transaction.revocationDate = day(40)
  }

  var text: String {
    var notification = ResponseBodyV2DecodedPayload()
    notification.notificationType = .refund
    notification.signedDate = day(40)
    notification.data = NotificationData()
    notification.data?.status = status
    var renewal = JWSRenewalInfoDecodedPayload()
    renewal.renewalDate = day(100)
    return Explanation(notification: notification, transaction: transaction, renewal: renewal).text
  }
}

private func purchase() -> JWSTransactionDecodedPayload {
  var transaction = JWSTransactionDecodedPayload()
  transaction.transactionId = "7"
  transaction.productId = "pro"
  transaction.type = .autoRenewableSubscription
  transaction.inAppOwnershipType = .purchased
  transaction.purchaseDate = day(0)
  transaction.expiresDate = day(30)
  transaction.price = 9_990
  transaction.currency = "USD"
  return transaction
}

private func day(_ number: Int64) -> Timestamp {
  Timestamp(millisecondsSince1970: 0).adding(.days(number))
}
