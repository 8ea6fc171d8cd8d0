import AppStoreModel
import EntitlementLedger
import Glibc
import LedgerStorage
import SQLiteStorage
import Synchronization
import Testing

@testable import LedgerServer

/// What becomes of acknowledged spend once the store takes writes again.
struct DegradedRecorderTests {
  private static let now = ServedLedger.start
  private static let customer = CustomerKey(
    scope: Scope(realm: .apple, bundleId: "com.example.app", environment: .sandbox),
    id: .anonymous(appTransactionId: "1"))

  private static func cost(_ microunits: Int64, _ currency: String = "USD") throws -> Cost {
    try #require(Cost(microunits: microunits, currency: Currency(code: currency)))
  }

  /// A question that was allowed, and settled in a currency.
  private static func entry(
    _ id: String, kind: String = "gpu", unit: String = "second", settledIn currency: String? = "USD"
  ) throws -> DegradedGate.Entry {
    let request = SpendRequest(
      customer: customer,
      purpose: SpendPurpose(
        entitlement: "pro", credits: nil, measure: SpendMeasure(kind: kind, unit: unit, units: 1),
        cost: try cost(40)),
      holdLength: .minutes(10))
    let look = DegradedLook(request, .standard, nil, heldCredits: 0, now: now)
    var entry = DegradedGate.Entry(
      request: request,
      authorization: look.authorization(request, id, .open, "storeUnreachable", now))
    if let currency {
      entry.end = .settled(SpendUse(cost: try cost(30, currency)), now.adding(.minutes(1)))
    }
    return entry
  }

  /// Records what waits, by a recorder that is closed again.
  private static func record(
    _ entries: [DegradedGate.Entry]
  ) throws -> (gate: DegradedGate, spends: [String], metrics: Metrics, log: String) {
    let ledger = Ledger(store: try SQLiteStore(.memory, realm: .apple, now: now))
    defer { ledger.store.close() }
    var spending = Configuration.Spending()
    spending.whenStoreUnreachable = .allow
    spending.degradedBudget = 1_000
    let gate = DegradedGate(spending, ledger)
    defer { gate.close() }
    gate.state.withLock { $0.entries = entries }
    let folder = try TestFolder()
    let descriptor = open(folder.file("log"), O_RDWR | O_CREAT, 0o600)
    let (log, metrics) = (Log(descriptor: descriptor), Metrics())
    DegradedRecorder(gate, ledger, metrics: metrics, log: log).close()
    log.close()
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    close(descriptor)
    let spends = try ledger.makeReader().read { (recorder) throws(StoreError) in
      try recorder.spendRecords(of: customer, limit: 9)
    }
    let told = spends.map {
      "\($0.authorizationId ?? "") \($0.purpose.measure.unit) \($0.cost.microunits)"
    }
    return (gate, told, metrics, String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self))
  }

  @Test func `what was allowed without looking is recorded in the unit that it was counted in`()
    throws
  {
    let done = try Self.record([
      Self.entry("a", unit: "second"), Self.entry("b", unit: "hour"),
      Self.entry("c", settledIn: nil),
    ])
    #expect(done.spends == ["a second 30", "b hour 30"])
    #expect(done.gate.waiting == 0 && done.gate.unrecorded == 0)
    #expect(done.metrics.value("degraded_spend", "recorded") == 3)
    #expect(done.log.contains(#""degradedSpendRecorded","authorizations":3"#))
  }

  /// A settlement that the gate should have refused, and a question that the schema refuses.
  @Test(arguments: ["", "gpu"])
  func `what the store refuses is kept, counted and told, and keeps nobody else waiting`(
    kind: String
  ) throws {
    let done = try Self.record([
      Self.entry("a"), Self.entry("bad", kind: kind, settledIn: kind.isEmpty ? "USD" : "EUR"),
      Self.entry("c"),
    ])
    #expect(done.spends == ["a second 30", "c second 30"])
    #expect(done.gate.waiting == 0 && done.gate.unrecorded == 1)
    #expect(done.metrics.value("degraded_spend", "recorded") == 2)
    #expect(done.metrics.value("degraded_spend", "unrecorded") == 1)
    #expect(done.gate.find("bad", within: { _ in true }, now: Self.now) != nil)
    #expect(done.gate.find("a", within: { _ in true }, now: Self.now) == nil)
    let line = done.log.split(separator: "\n").first { $0.contains("degradedSpendUnrecorded") }
    #expect(line?.contains(#""authorization":"bad""#) == true)
    #expect(line?.contains(#""microunits":30"#) == true)
    #expect(done.log.contains(#""degradedSpendLost","authorizations":1"#))
  }
}
