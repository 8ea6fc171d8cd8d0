import AppStoreModel
import EntitlementLedger
import LedgerStorage
import SQLiteStorage
import Testing

/// What the ledger promises about deliveries, on every store.
struct RecordingTests {
  @Test(arguments: StoreKind.allCases)
  func `a purchase grants, a refund denies, a reversal grants again`(kind: StoreKind) throws {
    let store = try kind.open()
    let bought = Signed.transaction("1", token: "anna")
    let refunded = Signed.transaction("1", token: "anna", signed: 100, revoked: 90)
    let restored = Signed.transaction("1", token: "anna", signed: 200)
    let deliveries = [
      try Signed.notification(.subscribed, "u1", bought, signed: 0),
      try Signed.notification(.refund, "u2", refunded, signed: 100),
      try Signed.notification(.refundReversed, "u3", restored, signed: 200),
    ]
    var seen: [String] = []
    for delivery in deliveries {
      try store.record(delivery)
      let state = try store.reader.answer(of: Signed.customer("anna"), now: Signed.at(201))
      seen.append("\(state.version) \(state.decision(on: "pro.monthly").reason.rawValue)")
    }
    #expect(seen == ["1 activePeriod", "2 refunded", "3 activePeriod"])
    let types = try store.reader.events(after: 0, limit: 10).map(\.type)
    #expect(types == ["granted", "revoked", "refunded", "restored", "refundReversed"])
  }
}
