import AppStoreModel
import EntitlementLedger
import Testing

struct CustomerAnswerTests {
  private let customer = CustomerID.anonymous(appTransactionId: "7")

  private func grant(
    _ id: String = "g", from: Timestamp = .day(0), until: Timestamp? = nil,
    revokedAt: Timestamp? = nil
  ) -> ManualGrant {
    ManualGrant(
      id: id, customer: customer, entitlement: "pro", from: from, until: until,
      revokedAt: revokedAt)
  }

  @Test func `no chain and no grant is unknown`() {
    let decision = CustomerAnswer(chains: [], at: .day(0)).decision(on: "pro")
    #expect(decision.reason == .noFacts)
    #expect(decision.verdict == .unknown)
    #expect(!decision.isProvisional)
  }

  @Test func `one grant of several chains is enough, and the longest is named`() throws {
    let refunded = chain(try seen(Sample.once(.nonConsumable, "2").revoked(.day(1))))
    let month = chain(try seen(Sample.month()))
    let answers = [refunded, month].map { $0.answer(at: .day(3)) }
    for order in [answers, answers.reversed()] {
      let decision = CustomerAnswer(chains: order, at: .day(3)).decision(on: "pro")
      #expect(decision.reason == .activePeriod)
      #expect(decision.until == .day(30))
    }
    let owned = chain(try seen(Sample.once(.nonConsumable, "3"))).answer(at: .day(3))
    let best = CustomerAnswer(chains: answers + [owned], at: .day(3))
    #expect(best.decision(on: "pro").reason == .owned)
    #expect(best.nextChange == .day(30))
  }

  @Test func `of several denials that of the latest purchase is named`() throws {
    let old = chain(try seen(Sample.once(.nonConsumable, "2").revoked(.day(1))))
    let late = chain(try seen(Sample.month("5", from: .day(2)) { $0.originalTransactionId = "5" }))
    let answers = [old, late].map { $0.answer(at: .day(90)) }
    for order in [answers, answers.reversed()] {
      #expect(CustomerAnswer(chains: order, at: .day(90)).decision(on: "pro").reason == .expired)
    }
  }

  @Test func `what is certain is named before what is provisional`() throws {
    let awaited = chain(try notified(.subscribed, .day(0), Sample.month(), Sample.renewal()))
      .answer(at: .day(30))
    let certain = chain(
      try seen(
        Sample.month("5", from: .day(0, 0, 30)) { $0.originalTransactionId = "5" })
    ).answer(at: .day(30))
    for order in [[awaited, certain], [certain, awaited]] {
      let decision = CustomerAnswer(chains: order, at: .day(30)).decision(on: "pro")
      #expect(decision.evidence.chain?.originalTransactionId == "5")
    }
    #expect(CustomerAnswer(chains: [awaited], at: .day(30)).doubtfulChains == [Sample.key])
  }

  @Test func `a manual grant counts from its beginning to its end`() {
    func reason(_ grant: ManualGrant, at now: Timestamp) -> DecisionReason {
      CustomerAnswer(chains: [], grants: [grant], at: now).decision(on: "pro").reason
    }
    #expect(reason(grant(from: .day(1)), at: .day(0)) == .notBegun)
    #expect(reason(grant(), at: .day(900)) == .manualGrant)
    #expect(reason(grant(until: .day(5)), at: .day(4)) == .manualGrant)
    #expect(reason(grant(until: .day(5)), at: .day(5)) == .manualGrantEnded)
    #expect(reason(grant(until: .day(5), revokedAt: .day(2)), at: .day(3)) == .manualGrantEnded)
    #expect(reason(grant(revokedAt: .day(2)), at: .day(2)) == .manualGrantEnded)
    #expect(grant(until: .day(5), revokedAt: .day(9)).end == .day(5))
    let answer = CustomerAnswer(chains: [], grants: [grant(until: .day(5))], at: .day(1))
    #expect(answer.nextChange == .day(5))
    #expect(answer.decision(on: "pro").evidence.grantId == "g")
  }

  @Test func `a manual grant outlives a refund, and the order of grants does not matter`() throws {
    let refunded = chain(try seen(Sample.month().revoked(.day(1)))).answer(at: .day(3))
    let grants = [grant("a"), grant("b")]
    let answers = [grants, grants.reversed()].map {
      CustomerAnswer(chains: [refunded], grants: $0, at: .day(3))
    }
    #expect(answers[0] == answers[1])
    #expect(answers[0].decision(on: "pro").reason == .manualGrant)
  }

  @Test func `a product can grant several rights, and what is unmapped is listed`() throws {
    let catalog = Catalog([CatalogEntry(productId: "pro", entitlements: ["sync", "pro"])])
    let month = chain(try seen(Sample.month())).answer(at: .day(3), catalog: catalog)
    let other = chain(
      try seen(Sample.once(.nonConsumable, "2") { $0.productId = "hat" })
    ).answer(at: .day(3), catalog: catalog)
    let answer = CustomerAnswer(chains: [month, other], at: .day(3))
    #expect(answer.decisions.map(\.entitlement) == ["pro", "sync"])
    #expect(answer.unmappedProducts == ["hat"])
  }

  @Test func `doubt is no denial: unknown comes before denied`() throws {
    let term = chain(try seen(Sample.once(.nonRenewingSubscription, "2"))).answer(at: .day(40))
    let expired = chain(try seen(Sample.month())).answer(at: .day(40))
    let answer = CustomerAnswer(chains: [expired, term], at: .day(40))
    #expect(answer.decision(on: "pro").reason == .unknownLength)
  }

  @Test func `each reason has one verdict`() {
    let counts = Verdict.allCases.map { verdict in
      DecisionReason.allCases.filter { $0.verdict == verdict }.count
    }
    #expect(counts == [7, 12, 4])
    #expect(DecisionReason.allCases.filter(\.isTakenBack).count == 6)
  }
}
