import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import Testing

@testable import LedgerServer

struct ImportTests {
  private func importing(
    _ rows: [ImportRow], into served: ReconciledLedger
  ) throws -> Int64 {
    try served.ledger.wait { completion in
      served.ledger.write(completion) { [now = served.moment.get()] (recorder) throws(StoreError) in
        let id = try recorder.beginImport(
          sha256: [UInt8](repeating: 7, count: 32), name: "x.csv", now: now)
        try recorder.addImportRows(rows, to: id, now: now)
        return id
      }
    }
  }

  private func row(_ line: Int64, _ id: String, _ customer: String) -> ImportRow {
    ImportRow(
      line: line, transactionId: id, customer: customer,
      bundleId: SimulatedApp().bundleId)
  }

  @Test func `a new installation learns whose each purchase is, with its whole history`()
    async throws
  {
    let served = try ReconciledLedger()
    var ids: [String] = []
    try served.play { stage in
      for name in ["Ada", "Ben"] {
        let customer = stage.store.enroll(name, withToken: false)
        ids.append(try stage.buy(.themes, customer))
        _ = try stage.buy(.pro, customer)
        for _ in 0..<25 { _ = try stage.buy(.coins, customer) }
      }
      stage.waitDays(1)
      try stage.refund(ids[1])
      stage.waitDays(1)
    }
    let rows = [
      row(2, ids[0], "ada"), row(3, ids[1], "ben"), row(4, "none-such", "cleo"),
      ImportRow(
        line: 5, transactionId: "", customer: "dan", bundleId: "", problem: "transactionId is empty"
      ),
    ]
    served.questions.change { $0.failures[.history] = [.unavailable(detail: "HTTP 502")] }
    let id = try importing(rows, into: served)
    let reconciliation = try served.reconciliation()
    reconciliation.start()
    try await waitForImport(id, of: served)
    _ = try importing([row(6, ids[0], "eve")], into: served)
    try await waitForImport(id, of: served)
    reconciliation.stop()
    #expect(try answer("ada", in: served) == "granted")
    #expect(try answer("ben", in: served) == "denied")
    #expect(try answer("cleo", in: served) == "unknown")
    let problems = try served.read { (recorder) throws(StoreError) in
      try recorder.importProblems(id, after: 0, limit: 10)
    }
    #expect(problems.map(\.line) == [4, 5, 6])
    #expect(
      problems.map(\.reason) == [
        "Apple knows no such transaction of this app in Production", "transactionId is empty",
        "the purchase belongs to another customer",
      ])
    #expect(try served.read { (recorder) throws(StoreError) in try recorder.counts().chains } == 54)
  }

  private func waitForImport(_ id: Int64, of served: ReconciledLedger) async throws {
    while true {
      let progress = try served.read { (recorder) throws(StoreError) in
        try recorder.importProgress(id)
      }
      if progress.waiting == 0 { return }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  private func answer(_ customer: String, in served: ReconciledLedger) throws -> String {
    let key = CustomerKey(scope: served.scope, id: try #require(CustomerID(customer)))
    return try served.ledger.makeReader().answer(of: key, now: served.moment.get())
      .decision(on: SimulatedProduct.themes.id).verdict.rawValue
  }
}
