import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerReports
import LedgerStorage
import Testing

/// Who knew of a refund when, and what the books say, on every store.
struct SignalTests {
  private static func signals(_ store: TestStore) throws -> [String] {
    try store.reader.read { (recorder) throws(StoreError) in
      try recorder.lateSpend(in: Signed.scope, afterChain: 0, limit: 99).refunds
    }.map { late in
      let minutes = late.sighted.sightings.map { sighting in
        let received =
          (sighting.receivedAt.millisecondsSince1970 - Signed.start) / 60_000
        return "\(sighting.channel) \(received)"
      }
      return "\(late.listed.refund.key.transactionId): " + minutes.joined(separator: ", ")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `of each channel the first receipt counts, whatever else it brings`(kind: StoreKind) throws {
    let store = try kind.open()
    let bought = Signed.transaction("1", token: "anna", type: .nonConsumable)
    func refunded(_ signed: Int64) -> JWSTransactionDecodedPayload {
      Signed.transaction("1", token: "anna", signed: signed, type: .nonConsumable, revoked: 50)
    }
    try store.record(
      Signed.delivery(bought, .device, received: 1),
      Signed.delivery(refunded(60), .device, received: 70),
      Signed.delivery(refunded(65), .device, received: 75),
      Signed.notification(.refund, "u", refunded(55), signed: 80, received: 90),
      Signed.notification(.refund, "u", refunded(55), signed: 80, received: 95, channel: .history),
      Signed.delivery(refunded(100), .poll, received: 60))
    #expect(try Self.signals(store) == ["1: poll 60, device 70, notification 90, history 95"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a second refund of the same purchase has sightings of its own`(kind: StoreKind) throws {
    let store = try kind.open()
    func refunded(_ at: Int64) -> JWSTransactionDecodedPayload {
      Signed.transaction("1", signed: at + 1, type: .nonConsumable, revoked: at)
    }
    try store.record(
      Signed.notification(.refund, "u1", refunded(10), signed: 11, received: 12),
      Signed.notification(
        .refundReversed, "u2", Signed.transaction("1", signed: 20, type: .nonConsumable), signed: 20
      ),
      Signed.notification(.refund, "u3", refunded(30), signed: 31, received: 44))
    #expect(try Self.signals(store) == ["1: notification 12", "1: notification 44"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a decline is kept once, under the earliest date that was signed for it`(kind: StoreKind)
    throws
  {
    let store = try kind.open()
    let bought = Signed.transaction("1", type: .nonConsumable)
    try store.record(
      Signed.notification(.refundDeclined, "u", bought, signed: 90),
      Signed.notification(.refundDeclined, "u", bought, signed: 30),
      Signed.notification(.refundDeclined, "v", bought, signed: 60))
    let movements = try Self.movements(store)
    #expect(movements.map(\.kind) == [.decline, .decline])
    #expect(Set(movements.map(\.at)) == [Signed.at(30), Signed.at(60)])
    #expect(movements.allSatisfy { $0.amount?.milliunits == 9_990 })
  }

  @Test(arguments: StoreKind.allCases, [UInt64(3), 4, 5, 6])
  func `the stored books are those of the chains in memory, page by page`(
    kind: StoreKind, seed: UInt64
  ) throws {
    var dice = SeededGenerator(seed: seed)
    let deliveries = try RandomDeliveries.make(&dice)
    let store = try kind.open()
    var chains: [ChainKey: Chain] = [:]
    for delivery in deliveries {
      try store.record(delivery)
      guard case .applied(let fact) = delivery.effect else { continue }
      for key in fact.chains { _ = chains[key, default: Chain(key: key)].join(fact) }
    }
    let ours = MoneyReport(by: .day, try Self.movements(store))
    let theirs = MoneyReport(by: .day, chains.values.flatMap { $0.moneyMovements() })
    #expect(!ours.lines.isEmpty)
    #expect(ours == theirs)
  }

  private static func movements(_ store: TestStore) throws -> [MoneyMovement] {
    var all: [MoneyMovement] = []
    var after: Int64? = 0
    while let place = after {
      let page = try store.reader.read { (recorder) throws(StoreError) in
        try recorder.moneyMovements(in: Signed.scope, afterChain: place, limit: 1)
      }
      all += page.movements
      after = page.next
    }
    return all
  }
}
