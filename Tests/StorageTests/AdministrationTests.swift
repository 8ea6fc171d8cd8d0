import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

/// Keys and quarantine, on every store.
struct AdministrationTests {
  private static func key(_ name: String) -> StoredKey {
    StoredKey(
      name: name, secretSHA256: Fingerprint(of: Array(name.utf8)).bytes, scope: "read",
      bundleIds: ["com.example.app", "com.example.other"], environment: .sandbox,
      madeAt: Signed.at(1))
  }

  @Test(arguments: StoreKind.allCases)
  func `keys are kept by hash and end by name`(kind: StoreKind) throws {
    let store = try kind.open()
    let ledger = store.ledger
    #expect(try ledger.wait { ledger.addKey(Self.key("a"), completion: $0) })
    #expect(try !ledger.wait { ledger.addKey(Self.key("a"), completion: $0) })
    #expect(try store.reader.keys() == [Self.key("a")])
    let now = Signed.at(5)
    #expect(try ledger.wait { ledger.revokeKey("a", now: now, completion: $0) })
    #expect(try !ledger.wait { ledger.revokeKey("a", now: now, completion: $0) })
    #expect(try store.reader.keys().map(\.revokedAt) == [now])
  }

  private static func item(_ text: String, trusted: Bool) -> QuarantinedItem {
    QuarantinedItem(
      Array(text.utf8), isChainTrusted: trusted, sha256: Fingerprint(of: Array(text.utf8)).bytes,
      channel: "notification", reason: "of an unknown app", receivedAt: Signed.at(1))
  }

  @Test(arguments: StoreKind.allCases)
  func `quarantine keeps a body only of a trusted chain`(kind: StoreKind) throws {
    let store = try kind.open()
    let ledger = store.ledger
    let long = String(repeating: "z", count: 3_000)
    let items = [Self.item("a" + long, trusted: true), Self.item("b" + long, trusted: false)]
    for item in items {
      #expect(try ledger.wait { ledger.quarantine(item, completion: $0) })
      #expect(try !ledger.wait { ledger.quarantine(item, completion: $0) })
    }
    let found = try store.reader.quarantined(limit: 9).map(\.item)
    #expect(found == items)
    #expect(found.map(\.excerpt.count) == [1_024, 1_024])
    #expect(found.map { $0.body?.count } == [3_001, nil])
    #expect(
      try ledger.wait { ledger.dropQuarantined(sha256: items[0].sha256, completion: $0) })
    #expect(try store.reader.counts().quarantined == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `quarantine is a ring for each of the two kinds`(kind: StoreKind) throws {
    let store = try kind.open()
    let ledger = store.ledger
    for number in 0..<8 {
      let item = Self.item("\(number)", trusted: number % 2 == 0)
      _ = try ledger.wait { (completion: @escaping Ledger.Completion<Bool>) in
        ledger.write(completion) { (recorder) throws(StoreError) in
          try recorder.quarantine(item, ringSize: 2)
        }
      }
    }
    let left = try store.reader.quarantined(limit: 9).map {
      String(decoding: $0.item.excerpt, as: UTF8.self)
    }
    #expect(left == ["4", "5", "6", "7"])
  }
}
