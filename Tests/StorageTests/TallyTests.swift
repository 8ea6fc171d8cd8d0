import AppStoreModel
import EntitlementLedger
import LedgerReports
import LedgerStorage
import Testing

/// How purchases are counted for the look at refunds for a fault, on every store.
struct TallyTests {
  private static let now = Signed.at(60)

  private static func tally(_ store: TestStore, limit: Int = 100) throws -> [String] {
    var isComplete = false
    while !isComplete {
      isComplete = try store.ledger.wait { completion in
        store.ledger.write(completion) { (recorder) throws(StoreError) in
          try recorder.tallyPurchases(now: now, limit: limit).isComplete
        }
      }
    }
    return try store.reader.read { (recorder) throws(StoreError) in
      try recorder.purchaseCounts(in: Signed.scope, from: UTCDay(0))
    }.map { "\($0.cell.appVersion ?? "-") \($0.cell.storefront ?? "-") \($0.purchases)" }.sorted()
  }

  private static func state(_ version: String, _ delivery: Delivery, _ store: TestStore) throws {
    guard case .applied(let fact) = delivery.effect else { return }
    try store.ledger.wait { completion in
      store.ledger.write(completion) { (recorder) throws(StoreError) in
        try recorder.noteVersion(version, of: fact, at: now)
      }
    }
  }

  private static func bought(
    _ id: String, minute: Int64 = 0, edit: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
  ) throws -> Delivery {
    try Signed.delivery(
      Signed.transaction(id, signed: minute, bought: minute, type: .nonConsumable) { payload in
        payload.storefront = "USA"
        edit(&payload)
      })
  }

  @Test(arguments: StoreKind.allCases, [1, 100])
  func `each purchase is counted once, and under its version once that is known`(
    kind: StoreKind, limit: Int
  ) throws {
    let store = try kind.open()
    let deliveries = try ["1", "2", "3", "4"].map { try Self.bought($0) }
    for delivery in deliveries.prefix(3) { try store.record(delivery) }
    #expect(try Self.tally(store, limit: limit) == ["- USA 3"])
    try Self.state("4.1", deliveries[0], store)
    try Self.state("4.2", deliveries[0], store)
    #expect(try Self.tally(store, limit: limit) == ["- USA 2", "4.1 USA 1"])
    try store.record(deliveries[3])
    try Self.state("4.2", deliveries[3], store)
    try Self.state("4.2", deliveries[1], store)
    for _ in 0..<2 {
      #expect(try Self.tally(store, limit: limit) == ["- USA 1", "4.1 USA 1", "4.2 USA 2"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `what cost nothing, what others bought and what is old is not counted`(kind: StoreKind)
    throws
  {
    let store = try kind.open()
    try store.record(
      Self.bought("1") { $0.price = 0 },
      Self.bought("2") { $0.inAppOwnershipType = .familyShared },
      Self.bought("3", minute: -400 * 1_440), Self.bought("4") { $0.price = nil })
    #expect(try Self.tally(store) == ["- USA 1"])
  }

  @Test(arguments: StoreKind.allCases)
  func `only refunds for a fault are looked at, one for each purchase`(kind: StoreKind) throws {
    let store = try kind.open()
    func refunded(
      _ id: String, _ reason: RevocationReason, _ minute: Int64 = 60,
      type: NotificationType = .refund
    ) throws -> Delivery {
      try Signed.notification(
        type, "u\(id)\(minute)",
        Signed.transaction(id, signed: minute, type: .nonConsumable, revoked: minute) {
          $0.revocationReason = reason
          $0.storefront = "USA"
        }, signed: minute)
    }
    try store.record(
      refunded("1", .developerIssue), refunded("2", .other),
      refunded("3", .developerIssue, type: .revoke), refunded("1", .developerIssue, 90))
    let faults = try store.reader.read { (recorder) throws(StoreError) in
      try recorder.faultRefunds(in: Signed.scope, from: UTCDay(0))
    }
    #expect(faults.map(\.refundedOn) == [UTCDay(Signed.at(60))])
    #expect(faults.map(\.cell.storefront) == ["USA"])
  }
}
