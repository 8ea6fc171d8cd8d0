import Testing

@testable import AppStoreModel

/// Every value that Apple documents is named, and one that it does not survives.
struct OpenEnumTests {
  @Test func `notification types are named`() {
    keeps(
      NotificationType.self,
      """
      SUBSCRIBED DID_CHANGE_RENEWAL_PREF DID_CHANGE_RENEWAL_STATUS OFFER_REDEEMED DID_RENEW EXPIRED
      DID_FAIL_TO_RENEW GRACE_PERIOD_EXPIRED PRICE_INCREASE REFUND REFUND_DECLINED REFUND_REVERSED
      CONSUMPTION_REQUEST RENEWAL_EXTENDED RENEWAL_EXTENSION REVOKE TEST EXTERNAL_PURCHASE_TOKEN
      ONE_TIME_CHARGE RESCIND_CONSENT METADATA_UPDATE MIGRATION PRICE_CHANGE
      """)
    keeps(
      NotificationSubtype.self,
      """
      ACCEPTED ACTIVE_TOKEN_REMINDER AUTO_RENEW_DISABLED AUTO_RENEW_ENABLED BILLING_RECOVERY
      BILLING_RETRY CREATED DOWNGRADE FAILURE GRACE_PERIOD INITIAL_BUY PENDING PRICE_INCREASE
      PRODUCT_NOT_FOR_SALE RESUBSCRIBE SUMMARY UNREPORTED UPGRADE VOLUNTARY
      """)
  }

  @Test func `words in payloads are named`() {
    keeps(InAppOwnershipType.self, "PURCHASED FAMILY_SHARED ASSIGNED")
    keeps(RevocationType.self, "REFUND_FULL REFUND_PRORATED FAMILY_REVOKE ASSIGNMENT_REVOKE")
    keeps(OfferDiscountType.self, "FREE_TRIAL PAY_AS_YOU_GO PAY_UP_FRONT ONE_TIME")
    keeps(TransactionReason.self, "PURCHASE RENEWAL")
    keeps(BillingPlanType.self, "BILLED_UPFRONT MONTHLY")
    keeps(
      ConsumptionRequestReason.self,
      "UNINTENDED_PURCHASE FULFILLMENT_ISSUE UNSATISFIED_WITH_PURCHASE LEGAL OTHER")
    keeps(ExternalPurchaseTokenType.self, "ACQUISITION SERVICES CORE_TECHNOLOGY")
    keeps(OriginalPlatform.self, "iOS macOS tvOS visionOS")
    keeps(AdvancedCommerceOfferReason.self, "ACQUISITION WIN_BACK RETENTION")
    keeps(AdvancedCommerceRefundType.self, "FULL PRORATED CUSTOM")
    keeps(AdvancedCommercePriceIncreaseStatus.self, "SCHEDULED PENDING ACCEPTED")
    keeps(
      AdvancedCommerceRefundReason.self,
      """
      UNINTENDED_PURCHASE FULFILLMENT_ISSUE UNSATISFIED_WITH_PURCHASE LEGAL OTHER
      MODIFY_ITEMS_REFUND SIMULATE_REFUND_DECLINE
      """)
    for type in [
      "Auto-Renewable Subscription", "Non-Consumable", "Consumable", "Non-Renewing Subscription",
    ] { isNamed(ProductType(rawValue: type), type) }
  }

  @Test func `numbers in payloads are named`() {
    keeps(SubscriptionStatus.self, 1...5)
    keeps(RevocationReason.self, 0...2)
    keeps(OfferType.self, 1...4)
    keeps(AutoRenewStatus.self, 0...1)
    keeps(ExpirationIntent.self, 1...5)
    keeps(PriceIncreaseStatus.self, 0...1)
  }

  private func keeps<Value: RawRepresentable<String>>(_ type: Value.Type, _ words: String) {
    for word in words.split(whereSeparator: \.isWhitespace) {
      isNamed(Value(rawValue: String(word)), String(word))
    }
    let later = Value(rawValue: "SOMETHING_2027")
    #expect(later?.rawValue == "SOMETHING_2027")
    #expect(String(describing: later).contains("unknown"))
  }

  private func keeps<Value: RawRepresentable<Int32>>(
    _ type: Value.Type, _ codes: ClosedRange<Int32>
  ) {
    for code in codes { isNamed(Value(rawValue: code), code) }
    let later = Value(rawValue: 2_027)
    #expect(later?.rawValue == 2_027)
    #expect(String(describing: later).contains("unknown"))
  }

  private func isNamed<Value: RawRepresentable>(_ value: Value?, _ raw: Value.RawValue)
  where Value.RawValue: Equatable {
    #expect(value?.rawValue == raw)
    #expect(!String(describing: value).contains("unknown"), "\(raw) has no name in \(Value.self)")
  }
}
