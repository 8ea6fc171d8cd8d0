import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import Testing

/// Answers that are kept up from single changes are those that reading everything gives.
struct UnionTests {
  @Test(arguments: 0..<12 as Range<UInt64>)
  func `a kept answer is the union over all chains after every step`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    var life = ManyPurchases(store: try StoreKind.memory.open())
    for step in 0..<120 {
      let moved = try life.step(&dice)
      for customer in ManyPurchases.customers where moved.contains(customer) {
        let told = try life.told(customer)
        let union = try life.union(customer)
        #expect(told.decisions == union.decisions, "seed \(seed), step \(step), \(customer)")
        #expect(told.until == union.nextChange, "seed \(seed), step \(step), \(customer)")
        for decision in union.decisions {
          #expect(try life.told(customer, on: decision.entitlement).decisions == [decision])
        }
      }
    }
  }

  @Test func `a fact of one chain reads no other chain of its customer`() throws {
    let store = try StoreKind.memory.open()
    for count in [3, 300] {
      for id in 0..<count {
        try store.record(
          Signed.delivery(
            Signed.transaction("\(count)-\(id)", token: "anna", type: .nonConsumable)))
      }
      let one = try Signed.delivery(
        Signed.transaction("new-\(count)", token: "anna", type: .nonConsumable))
      let counter = RowCounter()
      let now = Signed.at(2)
      _ = try store.ledger.wait { done in
        store.ledger.write(done) { (recorder) throws(StoreError) in
          try Recorder(
            session: CountingSession(recorder.session, counter), realm: .apple, rules: .standard
          ).record(one)
        }
      }
      #expect(try store.reader.answer(of: Signed.customer("anna"), now: now).decisions.count == 1)
      #expect(counter.rows < 40, "\(count) chains")
    }
  }

  @Test func `what only other rules can tell is computed again`() throws {
    let path = TestStore.newPath()
    defer { TestStore.remove(path) }
    do {
      let store = try TestStore(path: path)
      _ = try store.adoptRules()
      for id in ["1", "2"] {
        try store.record(
          Signed.delivery(Signed.transaction(id, token: "anna", type: .nonConsumable)))
      }
    }
    let catalog = Catalog([CatalogEntry(productId: "pro.monthly", entitlements: ["gold", "read"])])
    let store = try TestStore(
      path: path,
      rules: LedgerRules(
        catalogs: [Signed.scope.bundleId: catalog], policies: [:], source: Array("b".utf8)))
    _ = try store.adoptRules()
    try store.record(
      Signed.delivery(
        Signed.transaction("1", token: "anna", signed: 9, type: .nonConsumable, revoked: 8),
        received: 10))
    let state = try store.reader.answer(of: Signed.customer("anna"), now: Signed.at(10))
    #expect(state.decisions.map(\.entitlement) == ["gold", "read"])
    #expect(state.decisions.map(\.evidence.chain?.originalTransactionId) == ["2", "2"])
  }
}
