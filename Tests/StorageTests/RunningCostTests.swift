import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Costs that recur and payouts that wait, on every store.
struct RunningCostTests {
  private static let anna = Signed.customer("anna")

  private static func terms(
    _ onRevocation: RunningCost.OnRevocation, purchase: Bool = false
  ) -> RunningCost.Terms {
    RunningCost.Terms(
      customer: anna, name: "storage",
      basis: purchase ? .purchase(originalTransactionId: "1") : .entitlement("pro.monthly"),
      measure: SpendMeasure(kind: "storage", unit: "byteMonth", units: 1_000),
      cost: .milliunits(10), period: .minutes(60), onRevocation: onRevocation)
  }

  static func running(
    _ kind: StoreKind, _ onRevocation: RunningCost.OnRevocation, purchase: Bool = false
  ) throws -> TestStore {
    let store = try kind.open()
    try store.record(Signed.delivery(Signed.transaction("1", token: "anna")))
    let terms = terms(onRevocation, purchase: purchase)
    let outcome = try store.write { (recorder) throws(StoreError) in
      try recorder.run(terms, now: Signed.at(10))
    }
    guard case .running = outcome else {
      Issue.record("\(outcome)")
      return store
    }
    return store
  }

  private static func refund(_ store: TestStore, at minute: Int64) throws {
    let copy = Signed.transaction("1", token: "anna", signed: minute, revoked: minute - 1)
    try store.record(
      Signed.notification(.refund, "r", copy, signed: minute, received: minute))
  }

  @Test(arguments: StoreKind.allCases)
  func `each period is recorded once, charged to the purchase`(kind: StoreKind) throws {
    let store = try Self.running(kind, .stop)
    #expect(try store.reader.nextDeadline() == Signed.at(70))
    for minute in [70, 70, 130, 131] as [Int64] { _ = try store.process(at: minute) }
    let spent = try store.spent(on: Self.anna)
    #expect(spent.map(\.cost) == [.milliunits(10), .milliunits(10)])
    #expect(spent.map(\.spentAt) == [Signed.at(10), Signed.at(70)])
    #expect(spent.flatMap(\.charges).map(\.transactionId) == ["1", "1"])
    #expect(spent.map(\.runningCost) == ["storage", "storage"])
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `a revocation stops it with what has passed of its period`(
    kind: StoreKind, isPurchase: Bool
  ) throws {
    let store = try Self.running(kind, .stop, purchase: isPurchase)
    try Self.refund(store, at: 85)
    let spent = try store.spent(on: Self.anna)
    #expect(spent.map(\.cost.microunits) == [10_000, 2_500])
    #expect(spent.map(\.purpose.measure.units) == [1_000, 250])
    #expect(try store.costs(of: Self.anna).map(\.state) == [.stopped])
    #expect(
      try store.reader.events(after: 0, limit: 50).contains { $0.type == "runningCostChanged" })
    _ = try store.process(at: 500)
    #expect(try store.spent(on: Self.anna).count == 2)
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `one that is flagged goes on as ignored late spend until a reversal`(
    kind: StoreKind, isPurchase: Bool
  ) throws {
    let store = try Self.running(kind, .flag, purchase: isPurchase)
    try Self.refund(store, at: 20)
    #expect(try store.costs(of: Self.anna).map(\.state) == [.flagged])
    _ = try store.process(at: 70)
    #expect(try store.spent(on: Self.anna).map(\.lateness) == [.ignored])
    let copy = Signed.transaction("1", token: "anna", signed: 80)
    try store.record(Signed.notification(.refundReversed, "v", copy, signed: 80))
    #expect(try store.costs(of: Self.anna).map(\.state) == [.running])
    _ = try store.process(at: 130)
    #expect(try store.spent(on: Self.anna).map(\.lateness) == [.ignored, nil])
  }

  @Test(arguments: StoreKind.allCases)
  func `the same terms again change nothing, others are a conflict`(kind: StoreKind) throws {
    let store = try Self.running(kind, .stop)
    func run(_ terms: RunningCost.Terms) throws -> RunningCostOutcome {
      try store.write { (recorder) throws(StoreError) in
        try recorder.run(terms, now: Signed.at(11))
      }
    }
    guard case .running(let cost) = try run(Self.terms(.stop)) else {
      Issue.record("not running")
      return
    }
    #expect(cost.begunAt == Signed.at(10))
    #expect(try run(Self.terms(.flag)) == .conflict)
    let ended = try store.write { (recorder) throws(StoreError) in
      try recorder.endCost("storage", of: Self.anna, now: Signed.at(40))
    }
    #expect(ended?.state == .ended)
    #expect(try store.spent(on: Self.anna).map(\.cost.microunits) == [5_000])
  }

  @Test(arguments: StoreKind.allCases)
  func `a payout waits, is withheld by a refund, and comes back with its reversal`(
    kind: StoreKind
  ) throws {
    let store = try Self.running(kind, .stop)
    #expect(try store.state("p", days: 1)?.state == .held)
    #expect(try store.mark("p", .paid, at: 20) == .refused(.held))
    try Self.refund(store, at: 30)
    #expect(try store.payouts() == ["p withheld 10000"])
    let copy = Signed.transaction("1", token: "anna", signed: 40)
    try store.record(Signed.notification(.refundReversed, "v", copy, signed: 40))
    #expect(try store.payouts() == ["p held 0"])
    _ = try store.process(at: 1_440)
    #expect(try store.payouts() == ["p payable 0"])
    guard case .done = try store.mark("p", .paid, at: 1_441) else {
      Issue.record("not paid")
      return
    }
    #expect(try store.payouts() == ["p paid 0"])
  }

  @Test(arguments: StoreKind.allCases, [(Int32(100_000), "10000"), (41_500, "4150")])
  func `what was paid before a refund is to be got back, as far as it was refunded`(
    kind: StoreKind, row: (share: Int32, amount: String)
  ) throws {
    let store = try Self.running(kind, .stop)
    #expect(try store.state("p", days: 0)?.state == .payable)
    _ = try store.mark("p", .paid, at: 20)
    let copy = Signed.transaction("1", token: "anna", signed: 30, revoked: 29) { payload in
      payload.revocationType = row.share == 100_000 ? .refundFull : .refundProrated
      payload.revocationPercentage = row.share
    }
    try store.record(Signed.notification(.refund, "r", copy, signed: 30))
    #expect(try store.payouts() == ["p clawBack \(row.amount)"])
    _ = try store.mark("p", .recovered, at: 50)
    #expect(try store.payouts() == ["p recovered \(row.amount)"])
    #expect(try store.reader.events(after: 0, limit: 50).contains { $0.type == "payoutChanged" })
  }
}

/// A payout of 10 in the lives of a refund: what is due, what the payee has, what is left to do.
struct PayoutPartsTests {
  private enum Step {
    case refund(Int32, at: Int64)
    case reverse
    case pay
    case recover
  }

  private static let rows: [(name: String, steps: [Step], ends: String)] = [
    (
      "a half is got back, then all is given back",
      [.pay, .refund(50, at: 20), .recover, .reverse], "payable 5 of 10"
    ),
    (
      "and the half is paid again",
      [.pay, .refund(50, at: 20), .recover, .reverse, .pay], "paid 0 of 10"
    ),
    (
      "a half is got back, then a later refund takes all",
      [.pay, .refund(50, at: 20), .recover, .refund(100, at: 21)], "clawBack 5 of 0"
    ),
    (
      "a half is got back, then the same refund is said to be of all",
      [.pay, .refund(50, at: 20), .recover, .refund(100, at: 20)], "clawBack 5 of 0"
    ),
    (
      "a half is withheld and the rest paid, then all is given back",
      [.refund(50, at: 20), .pay, .reverse], "payable 5 of 10"
    ),
    (
      "a half is withheld and the rest paid, then all is refunded",
      [.refund(50, at: 20), .pay, .refund(100, at: 21)], "clawBack 5 of 0"
    ),
    ("all is refunded before the payment", [.refund(100, at: 20)], "withheld 0 of 0"),
    (
      "all is got back, given back, and refunded again before it is paid",
      [.pay, .refund(100, at: 20), .recover, .reverse, .refund(100, at: 34)], "withheld 0 of 0"
    ),
    (
      "a reversal before anything is got back", [.pay, .refund(50, at: 20), .reverse],
      "paid 0 of 10"
    ),
  ]

  @Test(arguments: StoreKind.allCases)
  func `what is outstanding is the difference of what is due and what the payee has`(
    kind: StoreKind
  ) throws {
    for row in Self.rows {
      let store = try RunningCostTests.running(kind, .stop)
      _ = try store.state("p", days: 0)
      for (number, step) in row.steps.enumerated() {
        try Self.take(step, store, Int64(30 + number))
      }
      let payout = try #require(try store.payout("p"))
      let said =
        "\(payout.state.rawValue) \(payout.outstanding.microunits / 1_000) of \(payout.due.microunits / 1_000)"
      #expect(said == row.ends, "\(row.name)")
    }
  }

  private static func take(_ step: Step, _ store: TestStore, _ minute: Int64) throws {
    switch step {
    case .pay: _ = try store.mark("p", .paid, at: minute)
    case .recover: _ = try store.mark("p", .recovered, at: minute)
    case .reverse:
      let copy = Signed.transaction("1", token: "anna", signed: minute)
      try store.record(Signed.notification(.refundReversed, "v\(minute)", copy, signed: minute))
    case .refund(let percent, let revoked):
      let copy = Signed.transaction("1", token: "anna", signed: minute, revoked: revoked) {
        $0.revocationType = percent == 100 ? .refundFull : .refundProrated
        $0.revocationPercentage = percent * 1_000
      }
      try store.record(Signed.notification(.refund, "r\(minute)", copy, signed: minute))
    }
  }
}

extension TestStore {
  func payout(_ id: String) throws -> Payout? {
    try reader.read { (recorder) throws(StoreError) in
      try recorder.payouts(in: Signed.scope, nil, after: 0, limit: 10).first { $0.terms.id == id }
    }
  }

  func write<Value: Sendable>(
    _ work: @escaping @Sendable (Recorder) throws(StoreError) -> Value
  ) throws -> Value {
    try ledger.wait { ledger.write($0, work) }
  }

  func spent(on customer: CustomerKey) throws -> [SpendRecord] {
    try reader.read { (recorder) throws(StoreError) in
      try recorder.spendRecords(of: customer, limit: 100)
    }
  }

  func costs(of customer: CustomerKey) throws -> [RunningCost] {
    try reader.read { (recorder) throws(StoreError) in try recorder.runningCosts(of: customer) }
  }

  func state(_ id: String, days: Int64) throws -> Payout? {
    let terms = Payout.Terms(
      scope: Signed.scope, id: id, originalTransactionId: "1", transactionId: "1",
      payee: "creator", cost: .milliunits(10))
    let outcome = try write { (recorder) throws(StoreError) in
      try recorder.state(terms, window: .days(days), now: Signed.at(15))
    }
    guard case .done(let payout) = outcome else { return nil }
    return payout
  }

  func mark(_ id: String, _ state: Payout.State, at minute: Int64) throws -> PayoutOutcome {
    try write { (recorder) throws(StoreError) in
      try recorder.mark(id, in: Signed.scope, state, now: Signed.at(minute))
    }
  }

  func payouts() throws -> [String] {
    try reader.read { (recorder) throws(StoreError) in
      try recorder.payouts(in: Signed.scope, nil, after: 0, limit: 10).map {
        "\($0.terms.id) \($0.state.rawValue) \($0.refunded.microunits)"
      }
    }
  }
}
