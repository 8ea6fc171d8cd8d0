import AppStoreModel
import EntitlementLedger
import LedgerStorage
import SQLiteStorage
import Testing

/// A ledger that goes on from a backup after it has told more.
final class RestorationTests {
  private let paths = (0..<4).map { _ in TestStore.newPath() }

  deinit { for path in paths { TestStore.remove(path) } }

  private static func buy(_ id: String, _ customer: String, _ store: TestStore) throws {
    try store.record(Signed.delivery(Signed.transaction(id, token: customer)))
  }

  private static func refund(_ id: String, _ customer: String, _ store: TestStore) throws {
    let copy = Signed.transaction(id, token: customer, signed: 50, revoked: 49)
    try store.record(Signed.notification(.refund, "r" + id, copy, signed: 50, received: 50))
  }

  private static func spend(_ store: TestStore) throws -> String? {
    let item = SpendReport(
      customer: Signed.customer("anna"),
      purpose: SpendPurpose(
        entitlement: "pro.monthly", credits: nil,
        measure: SpendMeasure(kind: "gpu", unit: "second", units: 1), cost: .milliunits(1)),
      spentAt: Signed.at(9))
    let outcome = try store.write { (recorder) throws(StoreError) in
      try recorder.report([item], key: nil, now: Signed.at(9))
    }
    guard case .recorded(let records) = outcome else { return nil }
    return records.first?.id
  }

  /// The greatest version that was told of each customer after a position.
  private static func told(_ store: TestStore, after position: Int64 = 0) throws -> [String: Int64]
  {
    var versions: [String: Int64] = [:]
    for event in try store.reader.events(after: position, limit: 999) {
      guard let name = event.customer?.text else { continue }
      versions[name] = max(versions[name] ?? 0, event.version)
    }
    return versions
  }

  private func restore(_ source: String, to target: String, clock: Int64) throws -> TestStore {
    _ = try SQLiteRestoration(of: source, to: target).write(
      now: Timestamp(millisecondsSince1970: clock))
    return try TestStore(path: target)
  }

  @Test(arguments: [Signed.start + 90 * 60_000, 0])
  func `whatever is told after a backup was put back is above all that was told before`(
    clock: Int64
  ) throws {
    var spends: [String?] = []
    var before: [String: Int64] = [:]
    do {
      let store = try TestStore(path: paths[0])
      try Self.buy("1", "anna", store)
      _ = try SQLiteCopy(of: paths[0], to: paths[1]).write()
      // What the backup does not know: more of one customer, and another customer.
      try Self.refund("1", "anna", store)
      try Self.buy("2", "ben", store)
      try Self.refund("2", "ben", store)
      spends.append(try Self.spend(store))
      before = try Self.told(store)
      store.ledger.store.close()
    }
    #expect(before == ["anna": 2, "ben": 2])
    for (source, target) in [(1, 2), (2, 3)] {
      let store = try restore(paths[source], to: paths[target], clock: clock)
      let last = try store.reader.lastEventPosition()
      let known = try store.reader.answer(of: Signed.customer("anna"), now: Signed.at(60)).version
      #expect(known > before["anna"] ?? .max)
      try Self.refund("1", "anna", store)
      try Self.buy("2", "ben", store)
      spends.append(try Self.spend(store))
      let after = try Self.told(store, after: last)
      // What a reader of another language keeps exactly.
      for version in after.values { #expect(version < 1 << 53) }
      if target == 2 {
        #expect(after.keys.sorted() == ["anna", "ben"])
        #expect(after.allSatisfy { $0.value > before[$0.key] ?? .max })
        before = after
      }
      store.ledger.store.close()
    }
    #expect(Set(spends).count == 3)
  }

  @Test func `a copy that cannot go on leaves nothing behind`() throws {
    try TestStore(path: paths[0]).ledger.store.close()
    let session = try TestStore(path: paths[0])
    _ = try session.write { (recorder) throws(StoreError) in
      try recorder.session.run(
        SQLStatement("INSERT INTO migrations VALUES (999, 'of a later version', 0)"), [])
    }
    session.ledger.store.close()
    #expect(throws: StoreOpeningError.newer(migration: "of a later version")) {
      try SQLiteRestoration(of: self.paths[0], to: self.paths[1]).write(now: Signed.at(0))
    }
    #expect(throws: StoreOpeningError.self) {
      try SQLiteCopy(of: self.paths[1], to: self.paths[2]).write()
    }
  }
}
