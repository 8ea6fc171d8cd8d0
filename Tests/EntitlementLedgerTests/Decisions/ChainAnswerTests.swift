import AppStoreModel
import EntitlementLedger
import Testing

struct ChainAnswerTests {
  private func reasons(
    _ known: Chain, at now: Timestamp, _ catalog: Catalog = .empty, _ policy: Policy = .standard
  ) -> [DecisionReason] {
    known.answer(at: now, catalog: catalog, policy: policy).products.map(\.reason)
  }

  @Test func `a period grants from its purchase to its expiry, also when no expiry is sent`() throws
  {
    let known = chain(try notified(.subscribed, .day(0), Sample.month(), status: .active))
    let answer = known.answer(at: .day(5))
    #expect(answer.products.first?.until == .day(30))
    #expect(answer.nextChange == .day(30))
    #expect(answer.products.first?.evidence.transactionId == "1")
    #expect(reasons(known, at: .day(30)) == [.expired])
    #expect(known.answer(at: .day(30)).doubts == [.statusAtOdds])
    #expect(known.answer(at: .day(30)).nextChange == nil)
  }

  @Test func `a renewal that is awaited keeps the answer, provisionally, for the leeway`() throws {
    let known = chain(try notified(.subscribed, .day(0), Sample.month(), Sample.renewal()))
    let answer = known.answer(at: .day(30))
    #expect(answer.products.map(\.reason) == [.renewalAwaited])
    #expect(answer.products.first?.isProvisional == true)
    #expect(answer.doubts == [.renewalAwaited])
    #expect(answer.nextChange == .day(30, 1))
    #expect(reasons(known, at: .day(30, 1)) == [.expired])
    let none = Policy([PolicyEntry(renewalLeeway: .zero)])
    #expect(reasons(known, at: .day(30), .empty, none) == [.expired])
  }

  typealias Change = @Sendable (inout JWSRenewalInfoDecodedPayload) -> Void
  private static let settled: [Change] = [
    { $0.autoRenewStatus = .off }, { $0.isInBillingRetryPeriod = true },
    { $0.expirationIntent = .customerCancelled }, { $0.autoRenewStatus = nil },
  ]

  @Test(arguments: settled)
  func `no renewal is awaited where Apple has said why none comes`(change: Change) throws {
    let known = chain(try notified(.subscribed, .day(0), Sample.month(), Sample.renewal(change)))
    #expect(known.answer(at: .day(30)).products.first?.verdict == .denied)
  }

  @Test(arguments: [SubscriptionStatus.expired, .billingRetry])
  func `no renewal is awaited once a status says that it ended`(status: SubscriptionStatus) throws {
    func told(_ date: Timestamp) throws -> Chain {
      chain(
        try notified(.subscribed, .day(0), Sample.month(), Sample.renewal()),
        try notified(.expired, date, Sample.month(), Sample.renewal(), status: status))
    }
    #expect(try told(.day(30)).answer(at: .day(30, 0, 5)).products.first?.verdict == .denied)
    #expect(reasons(try told(.day(29)), at: .day(30, 0, 5)) == [.renewalAwaited])
  }

  @Test func `grace keeps access until its end, then billing retry is named`() throws {
    let renewal = Sample.renewal(signed: .day(30)) {
      $0.isInBillingRetryPeriod = true
      $0.gracePeriodExpiresDate = .day(46)
    }
    let known = chain(
      try notified(
        .didFailToRenew, .day(30), Sample.month(), renewal, status: .billingGracePeriod))
    #expect(reasons(known, at: .day(35)) == [.gracePeriod])
    #expect(known.answer(at: .day(35)).products.first?.until == .day(46))
    #expect(known.answer(at: .day(35)).doubts == [])
    #expect(reasons(known, at: .day(46)) == [.billingRetry])
  }

  @Test func `grace beside a status survives a later copy without it, and not a refund`() throws {
    let grace = Sample.renewal(signed: .day(30)) { $0.gracePeriodExpiresDate = .day(46) }
    let facts = [
      try notified(
        .didFailToRenew, .day(30), Sample.month(), grace, status: .billingGracePeriod),
      try seen(
        Sample.renewal(signed: .day(31)) { $0.autoRenewStatus = .off }),
    ]
    #expect(reasons(chain(facts), at: .day(35)) == [.gracePeriod])
    let refunded = try seen(Sample.month().revoked(.day(33)))
    #expect(reasons(chain(facts + [refunded]), at: .day(35)) == [.refunded])
    let longer = try seen(
      Sample.renewal(signed: .day(32)) { $0.gracePeriodExpiresDate = .day(50) })
    #expect(chain(facts + [longer]).answer(at: .day(35)).products.first?.until == .day(50))
  }

  @Test func `a refunded period that an upgrade replaced does not revive the lower tier`() throws {
    let premium = Sample.month("2", from: .day(10)) { $0.productId = "premium" }
    let known = chain(
      try seen(Sample.month()), try seen(premium), try seen(premium.revoked(.day(12))))
    #expect(reasons(known, at: .day(13)) == [.refunded, .replaced])
    #expect(known.answer(at: .day(13)).products.map(\.productId) == ["premium", "pro"])
  }

  @Test func `an upgraded copy is replaced, and expired once its time is over`() throws {
    let known = chain(try seen(Sample.month { $0.isUpgraded = true }))
    #expect(reasons(known, at: .day(5)) == [.replaced])
    #expect(reasons(known, at: .day(31)) == [.expired])
  }

  @Test func `an early renewal waits for the period before it, or begins at its signing`() throws {
    let early = Sample.month("2", from: .day(30), signed: .day(29))
    #expect(reasons(chain(try seen(early)), at: .day(29, 12)) == [.activePeriod])
    #expect(reasons(chain(try seen(early)), at: .day(28)) == [.notBegun])
    let both = chain(try seen(Sample.month()), try seen(early))
    #expect(both.answer(at: .day(29, 12)).products.first?.until == .day(30))
    #expect(both.answer(at: .day(29, 12)).nextChange == .day(30))
    #expect(both.answer(at: .day(30)).products.first?.until == .day(60))
    let refunded = chain(try seen(Sample.month().revoked(.day(29, 2))), try seen(early))
    #expect(reasons(refunded, at: .day(29, 12)) == [.notBegun])
    #expect(reasons(refunded, at: .day(30)) == [.activePeriod])
  }

  @Test func `a refund of an old renewal leaves the running period`() throws {
    let june = Sample.month("2", from: .day(30))
    let known = chain(
      try notified(.subscribed, .day(0), Sample.month(), status: .active),
      try notified(.didRenew, .day(30), june, status: .active),
      try notified(.refund, .day(40), Sample.month().revoked(.day(40)), status: .active))
    #expect(reasons(known, at: .day(41)) == [.activePeriod])
    #expect(known.refundEntries().map(\.netRefund?.milliunits) == [9_990])
    #expect(known.answer(at: .day(41)).doubts == [])
  }

  @Test func `a non-consumable is owned until it is refunded, and again after a second purchase`()
    throws
  {
    let first = Sample.once(.nonConsumable)
    #expect(reasons(chain(try notified(.oneTimeCharge, .day(0), first)), at: .day(900)) == [.owned])
    let refunded = try seen(first.revoked(.day(40)))
    #expect(reasons(chain(try seen(first), refunded), at: .day(41)) == [.refunded])
    let again = try seen(
      Sample.once(.nonConsumable, "2", signed: .day(100)) {
        $0.originalTransactionId = "1"
        $0.purchaseDate = .day(100)
      })
    #expect(reasons(chain(refunded, again), at: .day(101)) == [.owned])
  }

  @Test func `a non-renewing subscription lasts as long as the catalog says`() throws {
    let known = chain(try seen(Sample.once(.nonRenewingSubscription)))
    #expect(reasons(known, at: .day(1)) == [.unknownLength])
    let catalog = Catalog([
      CatalogEntry(productId: "pro", entitlements: ["pro"], length: .days(90))
    ])
    let answer = known.answer(at: .day(1), catalog: catalog)
    #expect(answer.products.map(\.reason) == [.activeTerm])
    #expect(answer.nextChange == .day(90))
    #expect(reasons(known, at: .day(90), catalog) == [.expired])
    #expect(reasons(known, at: .day(-1), catalog) == [.notBegun])
    let moved = chain(
      try seen(Sample.once(.nonRenewingSubscription).revoked(.day(3), reason: .upgradedToBundle)),
      try seen(
        Sample.month("2", from: .day(8)) {
          $0.originalTransactionId = "2"
          $0.previousOriginalTransactionId = "1"
        }))
    #expect(moved.answer(at: .day(4), catalog: catalog).products.first?.until == .day(8))
  }

  @Test func `a consumable grants nothing`() throws {
    let answer = chain(try seen(Sample.once(.consumable))).answer(at: .day(1))
    #expect(answer.products == [])
    #expect(answer.nextChange == nil)
  }

  @Test(arguments: [nil, ProductType.unknown("Season Ticket")])
  func `an unknown type grants by its expiry, else it is unknown`(type: ProductType?) throws {
    let dated = chain(try seen(Sample.month { $0.type = type }))
    #expect(reasons(dated, at: .day(1)) == [.activePeriod])
    #expect(reasons(dated, at: .day(31)) == [.expired])
    let undated = chain(try seen(Sample.once(type)))
    #expect(reasons(undated, at: .day(1)) == [.unknownProductType])
    let hint = Catalog([
      CatalogEntry(productId: "pro", entitlements: ["pro"], typeHint: .nonConsumable)
    ])
    #expect(reasons(undated, at: .day(1), hint) == [.owned])
    let revoked = chain(
      try seen(Sample.once(type)), try seen(Sample.once(type).revoked(.day(1))))
    #expect(reasons(revoked, at: .day(2)) == [.refunded])
  }

  @Test func `an unmapped product is unknown, never a silent denial`() throws {
    let catalog = Catalog([CatalogEntry(productId: "other", entitlements: ["pro"])])
    let answer = chain(try seen(Sample.month())).answer(at: .day(1), catalog: catalog)
    #expect(answer.products.map(\.reason) == [.unmappedProduct])
    #expect(answer.products.first?.entitlements == [])
    #expect(answer.products.first?.until == nil)
  }

  @Test func `unknown ownership gives access`() throws {
    let known = chain(try seen(Sample.month { $0.inAppOwnershipType = .unknown("LENT") }))
    #expect(reasons(known, at: .day(1)) == [.activePeriod])
  }

  @Test func `a seat is granted and taken away like a share of a family`() throws {
    let seat = Sample.month { $0.inAppOwnershipType = .assigned }
    let known = chain(
      try notified(.subscribed, .day(0), seat),
      try notified(.revoke, .day(3), seat.revoked(.day(3), type: .assignmentRevoke)))
    #expect(reasons(known, at: .day(4)) == [.assignmentRevoked])
    #expect(known.refundEntries() == [])
  }
}
