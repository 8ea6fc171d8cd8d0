import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// What is kept of refund cases, on every store.
struct CaseTests {
  private static func asked(
    _ uuid: String, _ id: String = "1", at minutes: Int64, received: Int64? = nil,
    edit: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
  ) throws -> Delivery {
    try Signed.notification(
      .consumptionRequest, uuid,
      Signed.transaction(id, token: "anna", signed: minutes, type: .consumable, edit: edit),
      signed: minutes, received: received ?? minutes)
  }

  private static func decided(
    _ type: NotificationType, at minutes: Int64, revoked: Int64? = nil
  ) throws -> Delivery {
    try Signed.notification(
      type, "v\(minutes)",
      Signed.transaction(
        "1", token: "anna", signed: minutes, type: .consumable, revoked: revoked),
      signed: minutes, received: minutes)
  }

  @Test(arguments: StoreKind.allCases)
  func `a request opens a case, a retry of it changes nothing, a newer one takes its place`(
    kind: StoreKind
  ) throws {
    let store = try kind.open()
    try store.record(Self.asked("a", at: 10))
    try store.record(Self.asked("a", at: 10))
    try store.record(Self.asked("a", at: 11))
    var stored = try store.onlyCase()
    #expect(stored.refundCase.requests.map(\.notificationUUID) == ["a"])
    #expect(stored.refundCase.requests[0].askedAt == Signed.at(10))
    #expect(stored.customer?.text == "anna")
    try store.record(Self.asked("b", at: 12))
    stored = try store.onlyCase()
    #expect(stored.refundCase.requests.map(\.progress) == [.moot, .waiting])
    #expect(try store.eventTypes() == ["caseOpened", "caseOpened"])
    let due = try store.reader.dueRequests(by: Signed.at(12), limit: 9)
    #expect(due.map(\.request.notificationUUID) == ["b"])
    #expect(due[0].transaction?.transactionId == "1")
  }

  @Test(
    arguments: StoreKind.allCases,
    [
      (.refund, 14, .refunded), (.refundDeclined, nil, .declined),
      (.refundReversed, nil, .reversed),
    ] as [(NotificationType, Int64?, RefundVerdict.Kind)])
  func `Apple's decision closes the case, whichever comes first`(
    kind: StoreKind, decision: (NotificationType, Int64?, RefundVerdict.Kind)
  ) throws {
    let deliveries = [
      try Self.asked("a", at: 10), try Self.decided(decision.0, at: 14, revoked: decision.1),
    ]
    for order in [deliveries, deliveries.reversed()] {
      let store = try kind.open()
      for delivery in order { try store.record(delivery) }
      let stored = try store.onlyCase()
      #expect(stored.refundCase.standing(at: Signed.at(14)) == .closed(decision.2))
      #expect(stored.refundCase.requests.map(\.progress) == [.moot])
      #expect(try store.eventTypes().filter { $0 == "caseClosed" } == ["caseClosed"])
      #expect(try store.reader.nextDueRequest() == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a refund that only Apple's API shows closes the case`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(Self.asked("a", at: 10))
    try store.record(
      Signed.delivery(
        Signed.transaction("1", token: "anna", signed: 20, type: .consumable, revoked: 15), .poll,
        received: 20))
    #expect(try store.onlyCase().refundCase.standing(at: Signed.at(20)) == .closed(.refunded))
  }

  @Test(arguments: StoreKind.allCases)
  func `a request that arrives after its deadline is missed at once`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(Self.asked("a", at: 10, received: 15))
    #expect(try store.onlyCase().refundCase.requests.map(\.progress) == [.missed])
    #expect(try store.reader.nextDueRequest() == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `what Apple said to an answer is kept`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(Self.asked("a", at: 10))
    let position = try store.onlyCase().position
    var attempt = AnswerAttempt(count: 1, at: Signed.at(11), version: 2, body: "{\"a\":1}")
    attempt.status = 500
    attempt.errorCode = "5000001"
    attempt.errorText = "An unknown error occurred. Please try again."
    var update = RequestUpdate(
      position: position, notificationUUID: "a", progress: .waiting, attempt: attempt,
      dueAt: Signed.at(12))
    #expect(try store.write(update, at: 11) == 0)
    #expect(try store.onlyCase().refundCase.requests[0].attempt == attempt)
    #expect(try store.reader.nextDueRequest() == Signed.at(12))
    attempt = AnswerAttempt(count: 2, at: Signed.at(12), version: 2, body: "{}", status: 202)
    update = RequestUpdate(
      position: position, notificationUUID: "a", progress: .answered, attempt: attempt)
    #expect(try store.write(update, at: 12) == 1)
    #expect(try store.onlyCase().refundCase.standing(at: Signed.at(99)) == .answered)
    #expect(try store.onlyCase().refundCase.requests[0].attempt == attempt)
    let late = RequestUpdate(position: position, notificationUUID: "a", progress: .missed)
    #expect(try store.write(late, at: 13) == 0)
    let foreign = RequestUpdate(position: position, notificationUUID: "z", progress: .missed)
    #expect(try store.write(foreign, at: 13) == 0)
    #expect(try store.eventTypes() == ["caseOpened", "caseAnswered"])
  }

  @Test(arguments: StoreKind.allCases)
  func `consent is a fact with who and when, and has withheld requests looked at again`(
    kind: StoreKind
  ) throws {
    let store = try kind.open()
    try store.record(Self.asked("a", at: 10))
    let position = try store.onlyCase().position
    let withheld = RequestUpdate(
      position: position, notificationUUID: "a", progress: .withheld(.noConsent),
      dueAt: Signed.at(14))
    _ = try store.write(withheld, at: 10)
    #expect(try store.reader.consent(of: Signed.customer("anna")) == nil)
    let consent = Consent(
      isGiven: true, recordedBy: "backend", note: "settings", recordedAt: Signed.at(11))
    #expect(try store.consent(consent))
    #expect(try store.consent(consent) == false)
    #expect(try store.reader.consent(of: Signed.customer("anna")) == consent)
    let due = try store.reader.dueRequests(by: Signed.at(11), limit: 9)
    #expect(due.map(\.consent) == [consent])
    let withdrawn = Consent(isGiven: false, recordedBy: "admin", recordedAt: Signed.at(12))
    #expect(try store.consent(withdrawn))
    #expect(try store.reader.consent(of: Signed.customer("anna")) == withdrawn)
    let statements = try store.reader.timeline(of: Signed.customer("anna"), limit: 99)
      .compactMap { entry in
        if case .sighting(let sighting) = entry.content { sighting.statement } else { nil }
      }
    #expect(statements.count == 2)
    #expect(statements.first?.contains(#""consented":true,"recordedBy":"backend""#) == true)
  }

  @Test(arguments: StoreKind.allCases)
  func `an answer is made from what is recorded about the transaction`(kind: StoreKind) throws {
    let store = try kind.open()
    try store.record(
      Signed.delivery(
        Signed.transaction("1", token: "anna", type: .nonConsumable), received: 0))
    for (milliunits, name) in [(1_500, "x"), (500, "y")] as [(Int64, String)] {
      let cost = Cost.milliunits(milliunits)
      _ = try store.ledger.wait {
        store.ledger.authorize(
          SpendRequest(
            customer: Signed.customer("anna"),
            purpose: SpendPurpose(entitlement: "pro.monthly", cost: cost),
            holdLength: .minutes(10), idempotency: nil),
          id: name, now: Signed.at(1), completion: $0)
      }
      _ = try store.ledger.wait {
        store.ledger.settle(
          name, SpendUse(cost: cost), within: { _ in true }, now: Signed.at(2), completion: $0)
      }
    }
    try store.record(Self.asked("a", at: 10) { $0.type = .nonConsumable })
    let due = try #require(try store.reader.dueRequests(by: Signed.at(10), limit: 9).first)
    #expect(due.spent == [.milliunits(2_000)])
    try store.ledger.wait { store.ledger.reconsiderRequests(now: Signed.at(10), completion: $0) }
  }

  @Test(arguments: StoreKind.allCases)
  func `cases come in pages, and those of another environment do not come`(kind: StoreKind) throws {
    let store = try kind.open()
    for id in ["1", "2", "3"] { try store.record(Self.asked("u" + id, id, at: 10)) }
    let first = try store.reader.refundCases(in: Signed.scope, limit: 2)
    #expect(first.map(\.refundCase.transactionId) == ["1", "2"])
    let rest = try store.reader.refundCases(
      in: Signed.scope, after: first[1].position, limit: 2)
    #expect(rest.map(\.refundCase.transactionId) == ["3"])
    let production = Scope(realm: .apple, bundleId: "com.example.app", environment: .production)
    #expect(try store.reader.refundCases(in: production, limit: 9) == [])
  }
}

extension TestStore {
  fileprivate func onlyCase() throws -> StoredCase {
    let cases = try reader.refundCases(in: Signed.scope, limit: 9)
    try #require(cases.count == 1)
    return cases[0]
  }

  fileprivate func eventTypes() throws -> [String] {
    try reader.events(after: 0, limit: 99).map(\.type).filter { $0.hasPrefix("case") }
  }

  fileprivate func write(_ update: RequestUpdate, at minutes: Int64) throws -> Int {
    try ledger.wait { ledger.update(update, now: Signed.at(minutes), completion: $0) }.count
  }

  fileprivate func consent(_ consent: Consent) throws -> Bool {
    try ledger.wait { ledger.record(consent, of: Signed.customer("anna"), completion: $0) }
  }
}
