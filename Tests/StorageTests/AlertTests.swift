import AppStoreModel
import EntitlementLedger
import LedgerStorage
import Testing

struct AlertTests {
  @Test(arguments: StoreKind.allCases)
  func `an unknown value alerts once, whatever names it`(kind: StoreKind) throws {
    let store = try kind.open()
    for id in ["1", "2", "3"] {
      try store.record(
        Signed.delivery(Signed.transaction(id) { $0.type = .unknown("Rental") }))
    }
    try store.record(Signed.delivery(Signed.transaction("4") { $0.type = .unknown("Loan") }))
    let alerts = try store.reader.read { (recorder) throws(StoreError) in
      try recorder.alerts(in: Signed.scope, after: 0, limit: 9)
    }
    #expect(alerts.map(\.alert.value) == ["Rental", "Loan"])
    #expect(alerts.allSatisfy { $0.factID != nil })
    #expect(
      try store.reader.read { (recorder) throws(StoreError) in try recorder.counts() }.alerts == 2)
  }
}
