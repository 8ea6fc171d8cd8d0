import AppStoreModel
import Testing

@testable import clawback

/// What each notification is said to mean.
struct NotificationMeaningTests {
  /// Type, subtype or `-`, and words that the sentence must hold.
  private static let table = """
    SUBSCRIBED                 INITIAL_BUY            first subscription
    SUBSCRIBED                 RESUBSCRIBE            subscribed again
    DID_CHANGE_RENEWAL_PREF    UPGRADE                the new plan begins now
    DID_CHANGE_RENEWAL_PREF    DOWNGRADE              another plan at the renewal; nothing changes now
    DID_CHANGE_RENEWAL_PREF    -                      was withdrawn; nothing changes
    DID_CHANGE_RENEWAL_STATUS  AUTO_RENEW_DISABLED    access until the period ends
    DID_CHANGE_RENEWAL_STATUS  AUTO_RENEW_ENABLED     switched on again
    DID_CHANGE_RENEWAL_STATUS  -                      the renewal information says which
    OFFER_REDEEMED             UPGRADE                a higher plan, which begins now
    OFFER_REDEEMED             DOWNGRADE              a lower plan, which begins at the renewal
    OFFER_REDEEMED             -                      access is unchanged
    DID_RENEW                  BILLING_RECOVERY       payment succeeded after all
    DID_RENEW                  -                      renewed for another period
    DID_FAIL_TO_RENEW          GRACE_PERIOD           access goes on through the grace period
    DID_FAIL_TO_RENEW          -                      access has ended while Apple goes on trying
    GRACE_PERIOD_EXPIRED       -                      access has ended
    EXPIRED                    VOLUNTARY              after the customer cancelled: access has ended
    EXPIRED                    BILLING_RETRY          the payment failed for 60 days
    EXPIRED                    PRICE_INCREASE         without consent to a higher price
    EXPIRED                    PRODUCT_NOT_FOR_SALE   the product is not for sale any more
    EXPIRED                    -                      The subscription expired: access has ended
    PRICE_INCREASE             PENDING                was asked about a higher price
    PRICE_INCREASE             ACCEPTED               consented to a higher price, or was informed
    REFUND                     -                      refunded a purchase
    REFUND_REVERSED            -                      give back access and credits
    REFUND_DECLINED            -                      declined: nothing changes
    CONSUMPTION_REQUEST        -                      nothing changes yet
    REVOKE                     -                      no money moves
    RENEWAL_EXTENDED           -                      access lasts longer
    RENEWAL_EXTENSION          FAILURE                could not be extended
    RENEWAL_EXTENSION          SUMMARY                how many succeeded
    ONE_TIME_CHARGE            -                      does not renew
    TEST                       -                      the notification address works
    EXTERNAL_PURCHASE_TOKEN    UNREPORTED             were not reported to Apple
    EXTERNAL_PURCHASE_TOKEN    CREATED                outside the App Store was made
    EXTERNAL_PURCHASE_TOKEN    ACTIVE_TOKEN_REMINDER  is still active
    RESCIND_CONSENT            -                      decide about the account
    METADATA_UPDATE            -                      description of an Advanced Commerce
    MIGRATION                  -                      moved to Advanced Commerce
    PRICE_CHANGE               -                      The price of an Advanced Commerce
    """

  private static let rows = table.split(separator: "\n").map { line in
    line.split(separator: " ", maxSplits: 2).map { String($0.drop { $0 == " " }) }
  }

  @Test(arguments: rows)
  func `a notification is explained`(row: [String]) {
    let sentence = Self.sentence(row[0], row[1])
    #expect(sentence.contains(row[2]))
    #expect(sentence.hasSuffix("."))
  }

  @Test func `no two notifications are explained alike`() {
    let sentences = Self.rows.map { Self.sentence($0[0], $0[1]) }
    #expect(sentences.count == 40)
    #expect(Set(sentences).count == 40)
  }

  @Test func `a type of tomorrow is named and said to change nothing`() {
    #expect(Self.sentence("SOMETHING_2027", "NEW").contains("\u{201C}SOMETHING_2027\u{201D}"))
    #expect(Self.sentence("SOMETHING_2027", "NEW").contains("changes nothing by itself"))
  }

  @Test func `both spellings of a migration are explained`() {
    #expect(Self.sentence("MIGRATE", "-") == Self.sentence("MIGRATION", "-"))
  }

  @Test func `a notification without a type is said to change nothing`() {
    #expect(
      NotificationMeaning(ResponseBodyV2DecodedPayload()).sentence
        == "A notification without a type: it is kept and changes nothing.")
  }

  private static func sentence(_ type: String, _ subtype: String) -> String {
    var notification = ResponseBodyV2DecodedPayload()
    notification.notificationType = NotificationType(rawValue: type)
    notification.subtype = subtype == "-" ? nil : NotificationSubtype(rawValue: subtype)
    return NotificationMeaning(notification).sentence
  }
}
