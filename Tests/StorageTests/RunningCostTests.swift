import AppStoreModel
import EntitlementLedger
import LedgerReports
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

  /// A subscription of two periods, the second refunded on its sixth day and known so five days later.
  private static func live(
    _ store: TestStore, isAway: Bool, isPurchase: Bool, until end: Int64
  ) throws {
    let day: Int64 = 1_440
    let renewed = { (signed: Int64, revoked: Int64?) in
      Signed.transaction(
        "2", original: "1", token: "anna", signed: signed, bought: 30 * day, revoked: revoked)
    }
    func pass(_ minutes: ClosedRange<Int64>) throws {
      if isAway { return }
      for minute in stride(from: minutes.lowerBound, through: minutes.upperBound, by: 60) {
        _ = try store.process(at: minute)
      }
    }
    try pass(70...30 * day)
    try store.record(Signed.delivery(renewed(30 * day, nil)))
    try pass(30 * day + 10...41 * day)
    let refunded = renewed(41 * day, 36 * day + 17)
    try store.record(
      Signed.notification(.refund, "r", refunded, signed: 41 * day, received: 41 * day))
    try pass(41 * day + 10...end)
    _ = try store.process(at: end)
  }

  @Test(arguments: [false, true])
  func `what is owed for a long absence is charged as if each period had been recorded in time`(
    isPurchase: Bool
  ) throws {
    let (there, away) = try (
      Self.running(.memory, .flag, purchase: isPurchase),
      Self.running(.memory, .flag, purchase: isPurchase)
    )
    for (store, isAway) in [(there, false), (away, true)] {
      try Self.live(store, isAway: isAway, isPurchase: isPurchase, until: 45 * 1_440)
    }
    let each = try there.periods()
    #expect(each.count == 45 * 24 - 1)
    #expect(try away.periods() == each)
    #expect(try there.count("spends") == Int64(each.count))
    #expect(try away.count("spends") ?? .max < 30)
    let late = try away.lateSpend()
    #expect(try there.lateSpend() == late)
    #expect(!late.contains(""))
  }

  @Test(arguments: [RunningCost.OnRevocation.stop, .flag])
  func `a revocation after a year away records every minute of it in a few steps`(
    onRevocation: RunningCost.OnRevocation
  ) throws {
    let store = try StoreKind.memory.open()
    let minutes: Int64 = 365 * 1_440
    try store.record(Signed.delivery(Signed.transaction("1", token: "anna", days: 400)))
    let terms = RunningCost.Terms(
      customer: Self.anna, name: "storage", basis: .entitlement("pro.monthly"),
      measure: SpendMeasure(kind: "storage", unit: "byteMonth", units: 3), cost: .milliunits(10),
      period: .minutes(1), onRevocation: onRevocation)
    _ = try store.write { (recorder) throws(StoreError) in
      try recorder.run(terms, now: Signed.at(0))
    }
    let copy = Signed.transaction(
      "1", token: "anna", signed: minutes, days: 400, revoked: minutes - 30 * 1_440)
    try store.record(
      Signed.notification(.refund, "r", copy, signed: minutes, received: minutes))
    let spent = try store.spent(on: Self.anna)
    #expect(spent.count < 20)
    #expect(spent.map(\.periods).reduce(0, +) == minutes)
    #expect(spent.map(\.cost.microunits).reduce(0, +) == minutes * 10_000)
    #expect(spent.map(\.purpose.measure.units).reduce(0, +) == minutes * 3)
    #expect(
      spent.filter { $0.lateness == .unseen }.map(\.periods).reduce(0, +) == 30 * 1_440)
    #expect(spent.filter { $0.lateness == .ignored } == [])
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

  /// Every period of running costs: when it began, what it cost, and what paid.
  fileprivate func periods() throws -> [String] {
    let records = try reader.read { (recorder) throws(StoreError) in
      try recorder.spendRecords(in: Signed.scope, limit: .max)
    }
    return records.flatMap { record in
      (0..<record.periods).map { place in
        let span = record.period?.milliseconds ?? 0
        let paying = record.charges.map { $0.transactionId ?? "nobody" }
        return "\(record.spentAt.millisecondsSince1970 + place * span) "
          + "\(record.cost.microunits / record.periods) \(paying)"
      }
    }
  }

  /// What each refund cost before and after it was known, in microunits.
  fileprivate func lateSpend() throws -> [String] {
    try reader.read { (recorder) throws(StoreError) in
      try recorder.lateSpend(in: Signed.scope, afterChain: 0, limit: 9).refunds.flatMap { refund in
        [refund.spend.before, refund.spend.unseen, refund.spend.ignored].map { amounts in
          amounts.amounts.map { "\($0.microunits) \($0.currency.code)" }.joined(separator: ", ")
        }
      }
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
