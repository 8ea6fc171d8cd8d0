import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import Testing

struct ScenarioTests {
  static let end = Timestamp(millisecondsSince1970: 1_790_000_000_000)

  /// A name, and below it what is said, one line a notification, in the words of ``Storyline``.
  static let table = """
    01-test
      TEST
    02-consumable
      ONE_TIME_CHARGE coins t1
    03-consumable-partly-refunded
      ONE_TIME_CHARGE coins t1 x3
      CONSUMPTION_REQUEST coins t1 x3 UNSATISFIED_WITH_PURCHASE
      REFUND coins t1 x3 REFUND_PRORATED 33333 because 0
    04-non-consumable-refunded
      ONE_TIME_CHARGE themes t1
      REFUND themes t1 REFUND_FULL 100000 because 1
    05-refund-reversed
      ONE_TIME_CHARGE themes t1
      REFUND themes t1 REFUND_FULL 100000 because 1
      REFUND_REVERSED themes t1
    06-refunded-again
      ONE_TIME_CHARGE themes t1
      REFUND themes t1 REFUND_FULL 100000 because 1
      REFUND_REVERSED themes t1
      REFUND themes t1 REFUND_FULL 100000 because 1
    07-refund-declined
      ONE_TIME_CHARGE themes t1
      CONSUMPTION_REQUEST themes t1 UNINTENDED_PURCHASE
      REFUND_DECLINED themes t1
    07b-declined-in-app
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED pro t1 st1 rn0
      CONSUMPTION_REQUEST pro t1 st1 rn0 OTHER
      REFUND_DECLINED pro t1 st1 rn0
    08-subscribe-and-renew
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_RENEW pro t2<t1 renewal st1 rn1
      DID_RENEW pro t3<t1 renewal st1 rn1
    09-free-trial-to-paid
      SUBSCRIBED/INITIAL_BUY pro t1 offer1 for 0 st1 rn1
      DID_RENEW pro t2<t1 renewal st1 rn1
    09b-trial-cancelled
      SUBSCRIBED/INITIAL_BUY pro t1 offer1 for 0 st1 rn1
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED pro t1 offer1 for 0 st1 rn0
      EXPIRED/VOLUNTARY pro t1 offer1 for 0 st2 rn0 intent1
    10-cancelled-and-regretted
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED pro t1 st1 rn0
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED pro t1 st1 rn1
      DID_RENEW pro t2<t1 renewal st1 rn1
    11-billing-retry
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_FAIL_TO_RENEW pro t1 st3 rn1 retry intent2
      DID_RENEW/BILLING_RECOVERY pro t2<t1 renewal st1 rn1
    12-grace-recovered
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_FAIL_TO_RENEW/GRACE_PERIOD pro t1 st4 rn1 retry grace intent2
      DID_RENEW/BILLING_RECOVERY pro t2<t1 renewal st1 rn1
    13-grace-to-the-end
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_FAIL_TO_RENEW/GRACE_PERIOD pro t1 st4 rn1 retry grace intent2
      GRACE_PERIOD_EXPIRED pro t1 st3 rn1 retry grace intent2
      EXPIRED/BILLING_RETRY pro t1 st2 rn0 intent2
    14-upgrade
      SUBSCRIBED/INITIAL_BUY basic t1 st1 rn1
      DID_CHANGE_RENEWAL_PREF/UPGRADE pro t2<t1 st1 rn1
    15-downgrade
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_CHANGE_RENEWAL_PREF/DOWNGRADE pro t1 st1 rn1 next basic
      DID_CHANGE_RENEWAL_PREF pro t1 st1 rn1
      DID_CHANGE_RENEWAL_PREF/DOWNGRADE pro t1 st1 rn1 next basic
      DID_RENEW basic t2<t1 renewal st1 rn1
    16-offers
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      OFFER_REDEEMED pro t1 st1 rn1 next offer2
      DID_RENEW pro t2<t1 renewal offer2 st1 rn1
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED pro t2<t1 renewal offer2 st1 rn0
      EXPIRED/VOLUNTARY pro t2<t1 renewal offer2 st2 rn0 intent1
      SUBSCRIBED/RESUBSCRIBE pro t3<t1 offer4 st1 rn1
      ONE_TIME_CHARGE themes t4 offer3 for 2990
    17-price-rise-accepted
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      PRICE_INCREASE/PENDING pro t1 st1 rn1 rise0 12990
      PRICE_INCREASE/ACCEPTED pro t1 st1 rn1 rise1 12990
      DID_RENEW pro t2<t1 renewal for 12990 st1 rn1
    17b-price-rise-ignored
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      PRICE_INCREASE/PENDING pro t1 st1 rn1 rise0 12990
      EXPIRED/PRICE_INCREASE pro t1 st2 rn0 rise0 12990 intent3
    18-running-period-refunded
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      CONSUMPTION_REQUEST pro t1 st1 rn1 UNSATISFIED_WITH_PURCHASE
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED pro t1 st1 rn0
      REFUND pro t1 REFUND_FULL 100000 because 0 st5 rn0
    19-old-renewal-refunded
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_RENEW pro t2<t1 renewal st1 rn1
      DID_RENEW pro t3<t1 renewal st1 rn1
      DID_RENEW pro t4<t1 renewal st1 rn1
      DID_RENEW pro t5<t1 renewal st1 rn1
      REFUND pro t3<t1 renewal REFUND_FULL 100000 because 0 st1 rn1
    20-two-refunds
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_RENEW pro t2<t1 renewal st1 rn1
      DID_RENEW pro t3<t1 renewal st1 rn1
      DID_RENEW pro t4<t1 renewal st1 rn1
      DID_RENEW pro t5<t1 renewal st1 rn1
      REFUND pro t4<t1 renewal REFUND_FULL 100000 because 0 st1 rn1
      REFUND pro t5<t1 renewal REFUND_FULL 100000 because 0 st5 rn0
    21-prorated-then-resubscribed
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      REFUND pro t1 REFUND_PRORATED 41250 because 0 st5 rn0
      SUBSCRIBED/RESUBSCRIBE pro t2<t1 st1 rn1
    22-family-payer-refunded
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      SUBSCRIBED/INITIAL_BUY pro t2 shared st1 rn1
      SUBSCRIBED/INITIAL_BUY pro t3 shared st1 rn1
      REFUND pro t1 REFUND_FULL 100000 because 1 st5 rn0
      REVOKE pro t2 shared FAMILY_REVOKE because 1 st5 rn1
      REVOKE pro t3 shared FAMILY_REVOKE because 1 st5 rn1
    23-family-member-leaves
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      SUBSCRIBED/INITIAL_BUY pro t2 shared st1 rn1
      SUBSCRIBED/INITIAL_BUY pro t3 shared st1 rn1
      REVOKE pro t2 shared FAMILY_REVOKE because 0 st5 rn1
    24-late-retry
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      REFUND pro t1 REFUND_FULL 100000 because 0 st5 rn0
      REFUND_REVERSED pro t1 st1 rn0
      REFUND pro t1 REFUND_FULL 100000 because 0 st5 rn0
    25-outage
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      REFUND pro t1 REFUND_FULL 100000 because 0 st5 rn0
    26-mass-extension
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      SUBSCRIBED/INITIAL_BUY pro t2 st1 rn1
      SUBSCRIBED/INITIAL_BUY pro t3 offer1 for 0 st1 rn1
      RENEWAL_EXTENDED pro t1 st1 rn1
      RENEWAL_EXTENDED pro t2 st1 rn1
      RENEWAL_EXTENSION/FAILURE pro t3 offer1 for 0 st1 rn1
      RENEWAL_EXTENSION/SUMMARY 2+1
    27-commitment
      SUBSCRIBED/INITIAL_BUY year t1 1/12 st1 rn1
      DID_RENEW year t2<t1 renewal 2/12 st1 rn1
      DID_RENEW year t3<t1 renewal 3/12 st1 rn1
      DID_RENEW year t4<t1 renewal 4/12 st1 rn1
      DID_RENEW year t5<t1 renewal 5/12 st1 rn1
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED year t5<t1 renewal 5/12 st1 rn1 last run
      DID_RENEW year t6<t1 renewal 6/12 st1 rn1 last run
      REFUND year t6<t1 renewal 6/12 REFUND_FULL 100000 because 0 st5 rn0 last run
    28-advanced-commerce
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      MIGRATION club t2 after t1 st1 rn1
      METADATA_UPDATE club t2 after t1 st1 rn1
      PRICE_CHANGE club t2 after t1 st1 rn1 rise1 11990
      REFUND club t2 after t1 CUSTOM 2000 st1 rn1 rise1 11990
    29-seats
      SUBSCRIBED/INITIAL_BUY team t1 x5 for 49990 st1 rn1
      SUBSCRIBED/INITIAL_BUY team t2 assigned st1 rn1
      SUBSCRIBED/INITIAL_BUY team t3 assigned st1 rn1
      REVOKE team t2 assigned ASSIGNMENT_REVOKE because 0 st5 rn1
    30-consent-and-tokens
      RESCIND_CONSENT
      EXTERNAL_PURCHASE_TOKEN/CREATED sandbox ACQUISITION
      EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER sandbox SERVICES
      EXTERNAL_PURCHASE_TOKEN/UNREPORTED sandbox
      EXTERNAL_PURCHASE_TOKEN/UNREPORTED production
    31-unknown-future
      SUBSCRIBED/INITIAL_BUY basic t1 st1 rn1
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED basic t1 st1 rn0
      EXPIRED basic t1 st2 rn0 intent5
      SUBSCRIBED/INITIAL_BUY pro t2 st1 rn1
      SUBSCRIPTION_FRAMED/GOLD pro t2 st1 rn1
      ONE_TIME_CHARGE themes t3
      ONE_TIME_CHARGE themes t4
      REFUND themes t4 REFUND_FULL 100000 because 0
      ONE_TIME_CHARGE season t5 for 19990
    32-moved-to-a-bundle
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED pro t1 revoked because 2 st5 rn0
      SUBSCRIBED/INITIAL_BUY bundle t2 after t1 for 14990 st1 rn1
    33-two-chains
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_FAIL_TO_RENEW pro t1 st3 rn1 retry intent2
      SUBSCRIBED/INITIAL_BUY pro t2 st1 rn1
      DID_RENEW/BILLING_RECOVERY pro t3<t1 renewal st1 rn1
      DID_RENEW pro t4<t2 renewal st1 rn1
      DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED pro t3<t1 renewal st1 rn0
      EXPIRED/VOLUNTARY pro t3<t1 renewal st2 rn0 intent1
      DID_RENEW pro t5<t2 renewal st1 rn1
    34-hostile
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      REFUND pro t1 st1 rn1 !otherRoot
      REFUND pro t1 st1 rn1 !leafWithoutMarker
      REFUND pro t1 st1 rn1 !intermediateWithoutMarker
      REFUND pro t1 st1 rn1 !twoCertificates
      REFUND pro t1 st1 rn1 !fourCertificates
      REFUND pro t1 st1 rn1 !noCertificates
      REFUND pro t1 st1 rn1 !expiredLeaf
      REFUND pro t1 st1 rn1 !algorithmNone
      REFUND pro t1 st1 rn1 !algorithmHS256
      REFUND pro t1 st1 rn1 !algorithmES384
      REFUND pro t1 st1 rn1 !alteredPayload
      REFUND pro t1 st1 rn1 !derSignature
      REFUND pro t1 st1 rn1 !emptySignature
      REFUND pro t1 st1 rn1 !xcode
      REFUND pro t1 st1 rn1 !otherBundle
      REFUND pro t1 st1 rn1 !otherRenewal
      REFUND pro t1 st1 rn1 !otherEnvironment
      PRICE_CHANGE pro t1 st1 rn1 !futureDate
    34b-huge-body
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      REFUND pro t1 st1 rn1 !hugeBody
    35-api-faults
      SUBSCRIBED/INITIAL_BUY pro t1 st1 rn1
      DID_RENEW pro t2<t1 renewal st1 rn1
      REFUND pro t2<t1 renewal REFUND_FULL 100000 because 0 st5 rn0
    """

  static let stories = table.split(separator: "\n").reduce(into: [(String, [String])]()) {
    stories, line in
    if line.hasPrefix("  ") {
      stories[stories.count - 1].1.append(String(line.dropFirst(2)))
    } else {
      stories.append((String(line), []))
    }
  }

  @Test(arguments: stories)
  func `a scenario says this, in this order`(name: String, lines: [String]) throws {
    let scenario = try #require(Scenario.named(name))
    let store = try scenario.played(seed: 1, endingAt: Self.end)
    #expect(Storyline.lines(of: store) == lines)
  }

  @Test func `every scenario is in the table, by number`() {
    #expect(Scenario.all.map(\.name) == Self.stories.map(\.0))
    let numbers = Scenario.all.compactMap { Int($0.name.prefix(2)) }
    #expect(numbers == numbers.sorted())
    #expect(Array(Set(numbers)).sorted() == Array(1...35))
  }

  @Test func `a scenario answers to its number`() {
    #expect(Scenario.named("04")?.name == "04-non-consumable-refunded")
    #expect(Scenario.named("4")?.name == "04-non-consumable-refunded")
    #expect(Scenario.named("04-non-consumable-refunded") != nil)
    #expect(Scenario.named("99") == nil)
    #expect(Scenario.named("refund") == nil)
  }

  @Test(arguments: Scenario.all.map(\.name).filter { !$0.hasPrefix("34") })
  func `the verifier proves every signature of a scenario`(name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let store = try scenario.played(seed: 3, endingAt: Self.end)
    let authority = CertificateAuthority(seed: 3)
    let signer = NotificationSigner(JWSSigner(authority))
    let verifier = try verifier(trusting: authority)
    for notification in store.notifications {
      let proved = try verifier.verifyNotification(
        Array(signer.sign(notification).utf8), now: Self.end)
      #expect(proved.realm == .test(fingerprint: authority.root.fingerprint))
      #expect((proved.transaction == nil) == (notification.transaction == nil))
      #expect((proved.renewalInfo == nil) == (notification.renewal == nil))
    }
  }

  private func verifier(trusting authority: CertificateAuthority) throws -> SignedDataVerifier {
    let app = SimulatedApp()
    return try SignedDataVerifier(
      roots: [TrustedRoot(certificate: authority.root.der)],
      allowed: AllowedOrigins(
        apps: [ExpectedApp(bundleID: app.bundleId, appAppleID: app.appAppleId)],
        environments: [.sandbox, .production]))
  }

  @Test(arguments: Scenario.all.map(\.name))
  func `the last step falls on the moment asked for`(name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let store = try scenario.played(seed: 1, endingAt: Self.end)
    // What comes later in these says nothing new, or says nothing.
    let silences: [String: TimeSpan] = [
      "15-downgrade": .hours(2), "24-late-retry": .minutes(40), "25-outage": .days(8),
    ]
    let dates = store.notifications.compactMap(\.payload.signedDate)
    #expect(dates.max() == Self.end.subtracting(silences[name] ?? .zero))
  }

  @Test func `a seed always tells the same story, byte for byte`() throws {
    func signed(_ seed: UInt64) throws -> [String] {
      let signer = NotificationSigner(JWSSigner(CertificateAuthority(seed: seed)))
      let scenario = try #require(Scenario.named("22"))
      return try scenario.played(seed: seed, endingAt: Self.end).notifications.map(signer.sign)
    }
    #expect(try signed(9) == signed(9))
    #expect(try signed(9) != signed(10))
  }

  @Test func `a retry repeats the notification, UUID and all`() throws {
    let scenario = try #require(Scenario.named("24"))
    let notifications = try scenario.played(seed: 1, endingAt: Self.end).notifications
    #expect(notifications[3] == notifications[1])
    #expect(Set(notifications.compactMap(\.payload.notificationUUID)).count == 3)
  }
}
