import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Foundation
import LedgerStorage
import Testing

/// A served ledger that nobody could reach for seven days, and that asks afterwards what it missed.
struct OutageTests {
  /// Until day 33 everything arrives, and then nobody answers until day 40.
  ///
  /// What is first sent in the first eleven hours is given up before that.
  private static let story = """
    {
      environment: 'production',
      customers: {
        zoe: {}, ray: {}, sue: {}, tim: {}, ada: {}, ben: {}, cleo: {}, dan: {}, eve: {},
        fay: { family: 'f' }, gus: { family: 'f', token: false },
        hal: { family: 'h' }, ida: { family: 'h', token: false },
        jon: {}, kim: {}, lea: {}, max: {}, ned: {}, ola: {}, pat: { token: false }, quin: {},
      },
      steps: [
        { buy: 'pro', by: 'zoe' },
        { at: '3d 12h', buy: 'pro', by: 'ray' },
        { buy: 'pro', by: 'sue' },
        { buy: 'pro', by: 'tim' },
        { at: '15d', buy: 'themes', by: 'ada' },
        { buy: 'themes', by: 'ben' },
        { buy: 'pro', by: 'cleo' },
        { buy: 'themes', by: 'fay' },
        { share: 'fay.themes', to: 'gus' },
        { buy: 'pro', by: 'hal' },
        { share: 'hal.pro', to: 'ida' },
        { buy: 'basic', by: 'jon' },
        { buy: 'pro', by: 'kim' },
        { buy: 'coins', by: 'lea', quantity: 3 },
        { buy: 'themes', by: 'max' },
        { buy: 'themes', by: 'ola' },
        { buy: 'themes', by: 'pat' },
        { buy: 'pro', by: 'quin' },
        { at: '17d', refund: 'ben.themes' },
        { at: '20d', turnRenewalOff: 'sue.pro' },
        { payments: 'fail', of: 'tim' },
        { renew: 'zoe.pro' },
        { at: '33d 1h', refund: 'ada.themes' },
        { at: '33d 2h', reverse: 'ben.themes' },
        { refund: 'cleo.pro' },
        { at: '33d 3h', reverse: 'cleo.pro' },
        { buy: 'themes', by: 'dan' },
        { buy: 'themes', by: 'eve' },
        { at: '33d 4h', refund: 'eve.themes' },
        { refund: 'zoe.pro#1' },
        { at: '33d 5h', stopSharing: 'gus.themes' },
        { refund: 'hal.pro' },
        { at: '33d 6h', changePlan: 'jon.basic', to: 'pro' },
        { refund: 'kim.pro', part: 25000 },
        { at: '33d 7h', refund: 'lea.coins' },
        { renew: 'ray.pro' },
        { expire: 'sue.pro' },
        { failToRenew: 'tim.pro', grace: '16d' },
        { at: '37d', buy: 'themes', by: 'ned' },
        { at: '38d', refund: 'ola.themes' },
        { at: '40d 30m', wait: '0s' },
      ],
      faults: { outages: [{ at: '33d', for: '7d' }] },
    }
    """

  private struct Row {
    let customer: String
    let product: SimulatedProduct
    let decision: String
    let reason: String
  }

  /// What each customer's part of the story comes to.
  private static let rows: [Row] = [
    Row(customer: "ada", product: .themes, decision: "denied", reason: "refunded"),
    Row(customer: "ben", product: .themes, decision: "granted", reason: "owned"),
    Row(customer: "cleo", product: .pro, decision: "granted", reason: "activePeriod"),
    Row(customer: "dan", product: .themes, decision: "granted", reason: "owned"),
    Row(customer: "eve", product: .themes, decision: "denied", reason: "refunded"),
    Row(customer: "fay", product: .themes, decision: "granted", reason: "owned"),
    Row(customer: "gus", product: .themes, decision: "denied", reason: "familyRevoked"),
    Row(customer: "hal", product: .pro, decision: "denied", reason: "refunded"),
    Row(customer: "ida", product: .pro, decision: "denied", reason: "familyRevoked"),
    Row(customer: "jon", product: .pro, decision: "granted", reason: "activePeriod"),
    Row(customer: "jon", product: .basic, decision: "denied", reason: "replaced"),
    Row(customer: "kim", product: .pro, decision: "denied", reason: "refunded"),
    Row(customer: "lea", product: .coins, decision: "unknown", reason: "noFacts"),
    Row(customer: "max", product: .themes, decision: "granted", reason: "owned"),
    Row(customer: "ned", product: .themes, decision: "granted", reason: "owned"),
    Row(customer: "ola", product: .themes, decision: "denied", reason: "refunded"),
    Row(customer: "pat", product: .themes, decision: "denied", reason: "refunded"),
    Row(customer: "quin", product: .pro, decision: "granted", reason: "activePeriod"),
    Row(customer: "ray", product: .pro, decision: "granted", reason: "activePeriod"),
    Row(customer: "sue", product: .pro, decision: "denied", reason: "expired"),
    Row(customer: "tim", product: .pro, decision: "granted", reason: "gracePeriod"),
    Row(customer: "zoe", product: .pro, decision: "granted", reason: "activePeriod"),
  ]

  @Test(.timeLimit(.minutes(5)))
  func `an outage of seven days is recovered by asking, and each gap is named with its reason`()
    async throws
  {
    let asked = try AskedStore(Self.story, "reconciliation: { scheduled: false }")
    try asked.openLedger(since: asked.start)
    let key = try asked.site.key(
      "outage", scope: "read", app: asked.app.bundleId, environment: "Production")
    let served = try ServedProcess(asked.site)
    asked.listener.deliver(to: served.url + "/apple/notifications")
    try await asked.awaitDelivery()
    try losePatsRefund(asked)
    #expect(try gaps(asked).isEmpty)
    #expect(try told("ada", .themes, asked, served, key).decision == "granted")
    #expect(try told("dan", .themes, asked, served, key).reason == "noFacts")

    let reconciled = try ServedProcess.run(
      ["reconcile", "--config", asked.site.configuration, "--json"])
    #expect(reconciled.code == 0, "\(reconciled.diagnostics)")
    try expectTruth(asked, served, key)
    try expectGaps(asked)

    // Days later Apple sends again what it had not given up, and nothing changes any more.
    asked.control("travel", #"{"days":3}"#)
    try await asked.awaitDelivery()
    try expectTruth(asked, served, key)
    let late = try gaps(asked).filter { $0["arrivedAtMs"] != nil }.compactMap(Self.title)
    #expect(
      Set(late) == [
        "ONE_TIME_CHARGE", "REFUND", "EXPIRED/VOLUNTARY", "DID_FAIL_TO_RENEW/GRACE_PERIOD",
      ])
    #expect(served.stop() == 0)
    try expectMoney(asked)
  }

  /// Apple believes that this one arrived.
  private func losePatsRefund(_ asked: AskedStore) throws {
    let (store, _) = try asked.store()
    let pat = try asked.customer("pat")
    let id = try #require(store.history(of: pat).first?.payload.transactionId)
    asked.control("delivery", #"{"dropPerMille":1000}"#)
    asked.control("refund", #"{"transactionId":"\#(id)"}"#)
    asked.control("delivery", "{}")
  }

  private func told(
    _ name: String, _ product: SimulatedProduct, _ asked: AskedStore, _ served: ServedProcess,
    _ key: String
  ) throws -> (decision: String, reason: String) {
    let customer = asked.name(of: try asked.customer(name))
    let text = try served.get("/v1/customers/\(customer)/entitlements/\(product.id)", key: key)
    let decision = try #require(JSONValue(json: Array(text.utf8))["decision"])
    return (decision["verdict"]?.string ?? "", decision["reason"]?.string ?? "")
  }

  private func expectTruth(_ asked: AskedStore, _ served: ServedProcess, _ key: String) throws {
    let (store, now) = try asked.store()
    for customer in store.customers {
      for product in store.catalog where product.type != .nonRenewingSubscription {
        let told = try told(customer.name, product, asked, served, key)
        #expect(
          (told.decision == "granted") == store.grants(product.id, to: customer, at: now),
          "\(customer.name) \(product.shortName) \(told)")
      }
    }
    #expect(Set(Self.rows.map(\.customer)) == Set(store.customers.map(\.name)))
    for row in Self.rows {
      let told = try told(row.customer, row.product, asked, served, key)
      #expect(told == (row.decision, row.reason), "\(row.customer) \(row.product.shortName)")
    }
  }

  private func gaps(_ asked: AskedStore) throws -> [JSONValue] {
    let report = try ServedProcess.run(
      ["report", "gaps", "--config", asked.site.configuration, "--json"])
    #expect(report.code == 0, "\(report.diagnostics)")
    return try JSONValue(json: Array(report.output.utf8))["gaps"]?.array ?? []
  }

  private static func title(_ gap: JSONValue) -> String {
    [gap["type"]?.string, gap["subtype"]?.string].compactMap { $0 }.joined(separator: "/")
  }

  /// One gap for each notification that never arrived, with what Apple noted of sending it.
  private func expectGaps(_ asked: AskedStore) throws {
    let pat = try asked.customer("pat").appTransactionId
    let missed = try asked.sent().filter { sent in
      let isPats = sent.notification.transaction?.appTransactionId == pat
      return !sent.hasArrived || (isPats && sent.notification.title == "REFUND")
    }
    let expected = missed.map { sent in
      let reason = sent.hasArrived ? "neverReached" : "outage"
      return "\(sent.notification.payload.notificationUUID ?? "") \(sent.notification.title) "
        + "\(reason) \(sent.attempts.map(\.result.rawValue))"
    }
    let found = try gaps(asked).map { gap in
      let results = (gap["sendAttempts"]?.array ?? []).compactMap { $0["result"]?.string }
      #expect(gap["isStored"] == .bool(true))
      return "\(gap["notificationUUID"]?.string ?? "") \(Self.title(gap)) "
        + "\(gap["reason"]?.string ?? "") \(results)"
    }
    #expect(found.sorted() == expected.sorted())
    let givenUp = missed.filter { $0.attempts.count == 6 && $0.dueAt == nil }
    #expect(givenUp.count == 14, "retries are used up")
  }

  private func expectMoney(_ asked: AskedStore) throws {
    let truth = try asked.store().store.refunded(in: Currency(code: "USD"))
    let scope = asked.scope
    let told = try asked.site.inspect { reader in
      try reader.read { (recorder) throws(StoreError) in
        try recorder.refunds(in: scope, afterChain: 0, limit: 1_000).refunds
      }
    }
    let sum = told.compactMap(\.refund.netRefund).reduce(0) { $0 + $1.milliunits }
    #expect(sum == truth.milliunits)
    #expect(sum > 0)
  }
}
