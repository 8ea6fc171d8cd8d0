import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Synchronization
import Testing

/// What readers of events and answers can rely on, on every store.
struct NewsTests {
  private static let anna = Signed.customer("anna")

  @Test(arguments: StoreKind.allCases)
  func `who has seen an event reads at least its version`(kind: StoreKind) throws {
    let store = try kind.open()
    let ledger = store.ledger
    let deliveries = try (0..<120 as Range<Int64>).map { minute in
      try Signed.delivery(
        Signed.transaction(
          "1", token: "anna", signed: minute * 20, revoked: minute % 2 == 1 ? minute * 20 : nil),
        .poll, received: minute * 20 + 1)
    }
    let isDone = Mutex(false)
    Threads.start {
      for delivery in deliveries {
        _ = try? ledger.wait { ledger.record([delivery], completion: $0) }
      }
      isDone.withLock { $0 = true }
    }
    var position: Int64 = 0
    var isLast = false
    while !isLast {
      isLast = isDone.withLock { $0 }
      for event in try store.reader.events(after: position, limit: 50) {
        let state = try store.reader.answer(of: Self.anna, now: Signed.at(3_000))
        #expect(state.version >= event.version)
        #expect(event.position == position + 1)
        position = event.position
      }
    }
    #expect(position > 60)
  }

  @Test(arguments: StoreKind.allCases)
  func `what a device reported first is no news when Apple tells it, and both times are kept`(
    kind: StoreKind
  ) throws {
    let store = try kind.open()
    let bought = Signed.transaction("1", token: "anna")
    try store.record(Signed.delivery(bought, .device, received: 0))
    let receipt = try store.record(
      Signed.notification(.subscribed, "u1", bought, status: .active, signed: 0, received: 66))[0]
    #expect(receipt.outcome == .stored)
    #expect(receipt.events == [])
    let sightings = try store.reader.timeline(of: Self.anna, limit: 9).compactMap { entry in
      if case .sighting(let sighting) = entry.content {
        "\(sighting.channel) \(entry.place.at == Signed.at(0) ? 0 : 66)"
      } else {
        nil
      }
    }
    #expect(sightings == ["device 0", "notification 66"])
  }

  @Test(arguments: StoreKind.allCases)
  func `the same ids in both environments are two purchases`(kind: StoreKind) throws {
    let store = try kind.open()
    let production = Scope(
      realm: .apple, bundleId: Signed.scope.bundleId, environment: .production)
    func copy(_ environment: AppStoreEnvironment, signed: Int64, revoked: Int64? = nil)
      -> JWSTransactionDecodedPayload
    {
      Signed.transaction("1", token: "anna", signed: signed, revoked: revoked) {
        $0.environment = environment
      }
    }
    try store.record(
      Signed.delivery(copy(.production, signed: 0)), Signed.delivery(copy(.sandbox, signed: 1)),
      Signed.delivery(copy(.sandbox, signed: 60, revoked: 50)))
    func verdict(_ scope: Scope) throws -> Verdict {
      try store.reader.answer(
        of: CustomerKey(scope: scope, id: Self.anna.id), now: Signed.at(61)
      ).decision(on: "pro.monthly").verdict
    }
    #expect(try verdict(production) == .granted)
    #expect(try verdict(Signed.scope) == .denied)
    try store.record(
      Signed.delivery(Signed.transaction("9", token: "ben") { $0.environment = .sandbox }))
    let ben = CustomerKey(scope: production, id: Signed.customer("ben").id)
    let answer = try store.reader.answer(of: ben, now: Signed.at(61))
    #expect(answer.decision(on: "pro.monthly").verdict == .unknown)
  }
}
