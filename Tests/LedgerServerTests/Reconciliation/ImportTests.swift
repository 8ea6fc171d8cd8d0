import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import Synchronization
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
        "the purchase is linked to another customer by line 2, which names the same Apple Account: "
          + "leave out one of the two",
      ])
    #expect(try served.read { (recorder) throws(StoreError) in try recorder.counts().chains } == 54)
  }

  @Test func `one line brings all that its Apple Account bought, but for what others own`()
    async throws
  {
    let served = try ReconciledLedger()
    let other = "11111111-2222-3333-4444-555555555555"
    var themes = ""
    var pro = ""
    try served.play { stage in
      let ada = stage.store.enroll("Ada", withToken: false)
      pro = try stage.buy(.pro, ada)
      try stage.store.setAppAccountToken(other, of: pro, at: stage.now)
      for _ in 0..<25 { _ = try stage.buy(.coins, ada) }
      themes = try stage.buy(.themes, ada)
      stage.waitDays(1)
    }
    let id = try importing([row(2, themes, "ada")], into: served)
    try await finish(id, of: served)
    _ = try importing([row(3, themes, "eve")], into: served)
    try await finish(id, of: served)
    #expect(
      try served.read { (recorder) throws(StoreError) in
        try recorder.importProblems(id, after: 0, limit: 10).map(\.reason)
      } == [
        "the purchase is linked to another customer by line 2, which names the same Apple Account: "
          + "leave out one of the two"
      ])
    #expect(try answer("ada", in: served) == "granted")
    #expect(try answer("ada", .pro, in: served) == "unknown")
    // Time passes while nothing is to be asked, so that it may be over.
    #expect(try answer(other, .pro, in: served) != "unknown")
    #expect(try answer("eve", in: served) == "unknown")
    let linked = SQLStatement("SELECT count(*) FROM links")
    #expect(
      try served.read { (recorder) throws(StoreError) in
        try recorder.session.number(linked, [])
      } == 26)
  }

  @Test func `what another customer owns is refused before its history is read`() async throws {
    let served = try ReconciledLedger()
    var pro = ""
    try served.play { stage in
      pro = try stage.buy(.pro, stage.store.enroll("Ada"))
      stage.waitDays(1)
    }
    let id = try importing([row(2, pro, "eve")], into: served)
    try await finish(id, of: served)
    #expect(served.questions.count(.history) == 0)
    let problems = try served.read { (recorder) throws(StoreError) in
      try recorder.importProblems(id, after: 0, limit: 10)
    }
    #expect(
      problems.map(\.reason) == [
        "the purchase carries the token of another customer: if it is this customer's own, "
          + "'clawback customers token CUSTOMER TOKEN' says so; then import again"
      ])
    let eve = CustomerKey(scope: served.scope, id: try #require(CustomerID("eve")))
    let token = try #require(served.questions.state.withLock { $0.stage.store.customers.first })
    _ = try served.ledger.wait { completion in
      served.ledger.write(completion) { [now = served.moment.get()] (recorder) throws(StoreError) in
        try recorder.register(
          token: token.appAccountToken ?? "", to: eve, note: nil, now: now)
      }
    }
    _ = try importing([row(2, pro, "eve")], into: served)
    try await finish(id, of: served)
    let progress = try served.read { (recorder) throws(StoreError) in
      try recorder.importProgress(id)
    }
    #expect(progress == ImportProgress(rows: 1, done: 1, refused: 0), "the advice helps")
    #expect(try answer("eve", .pro, in: served) != "unknown")
  }

  @Test(
    arguments: [
      (
        LinkRefusal.linkedElsewhere, 7,
        "the purchase is linked to another customer by line 7, which names the same Apple Account: "
          + "leave out one of the two"
      ),
      (
        .boundElsewhere, 7,
        "the Apple Account is bound to another customer by line 7, which names the same Apple Account: "
          + "leave out one of the two"
      ),
      (
        .boundElsewhere, nil,
        "the Apple Account is bound to another customer: "
          + "'clawback customers transfer CUSTOMER PURCHASE' moves it"
      ),
      (
        .transferredElsewhere, nil,
        "the purchase was transferred to another customer: "
          + "'clawback customers transfer CUSTOMER PURCHASE' moves it"
      ),
      (
        .tokenNamesAnother, 7,
        "the purchase carries the token of another customer: if it is this customer's own, "
          + "'clawback customers token CUSTOMER TOKEN' says so; then import again"
      ),
    ] as [(LinkRefusal, Int64?, String)])
  func `a line that is refused says why, and what to do`(
    refusal: LinkRefusal, line: Int64?, reason: String
  ) {
    #expect(refusal.importReason(line: line) == reason)
  }

  @Test func `an import that was cut off goes on at the page where it stopped`() async throws {
    let path = "/tmp/clawback-import-\(UInt64.random(in: 0 ... .max)).db"
    let served = try ReconciledLedger(database: path)
    defer { served.remove(path) }
    var pro = ""
    try served.play { stage in
      let ada = stage.store.enroll("Ada", withToken: false)
      pro = try stage.buy(.pro, ada)
      for _ in 0..<199 { _ = try stage.buy(.coins, ada) }
      stage.waitDays(1)
    }
    let id = try importing([row(2, pro, "ada")], into: served)
    served.questions.change { state in
      state.failures[.history] =
        [nil, nil] + Array(repeating: .unavailable(detail: "HTTP 502"), count: 10_000)
    }
    try await run(served) { served.questions.count(.history) >= 3 }
    try served.reopen()
    served.questions.change { state in
      state.asked = []
      state.failures = [:]
    }
    try await finish(id, of: served)
    #expect(served.questions.asked(.history).first == "\(pro) 40")
    #expect(served.questions.count(.history) == 8)
    #expect(served.questions.count(.info) == 0)
    #expect(try answer("ada", .pro, in: served) != "unknown")
  }

  @Test(
    arguments: [
      (
        ["A"], [], [],
        "Apple's pages do not come to an end: a token came a second time: import the line again"
      ),
      (
        ["A", "B"], [], [],
        "Apple's pages do not come to an end: a token came a second time: import the line again"
      ),
      (
        ["A"], Array(repeating: [nil, .pageExpired], count: 10).flatMap { $0 }, [],
        "Apple's token of the next page has expired: import the line again"
      ),
      ([], [], [.history], Self.forged), ([], [], [.statuses], Self.forged),
      ([], [], [.info], Self.forged),
    ] as [([String], [QuestionFailure?], Set<SimulatedQuestions.Kind>, String)])
  func `a history that cannot be used refuses its line, and is read from its start the next time`(
    tokens: [String], failures: [QuestionFailure?], forged: Set<SimulatedQuestions.Kind>,
    reason: String
  ) async throws {
    let served = try ReconciledLedger()
    var pro = ""
    try served.play { stage in
      let ada = stage.store.enroll("Ada", withToken: false)
      pro = try stage.buy(.pro, ada)
      for _ in 0..<25 { _ = try stage.buy(.coins, ada) }
      stage.waitDays(1)
    }
    let id = try importing([row(2, pro, "ada")], into: served)
    served.questions.change { state in
      state.misleading[.history] = tokens
      state.failures[.history] = failures
      state.forged = forged
    }
    try await finish(id, of: served)
    #expect(served.questions.count(.history) <= 9)
    #expect(
      try served.read { (recorder) throws(StoreError) in
        try recorder.importProblems(id, after: 0, limit: 10).map(\.reason)
      } == [reason])
    served.questions.change { state in
      state.misleading = [:]
      state.failures = [:]
      state.forged = []
      state.asked = []
    }
    _ = try importing([row(2, pro, "ada")], into: served)
    try await finish(id, of: served)
    #expect(served.questions.asked(.history) == ["\(pro) -", "\(pro) 20"])
    let progress = try served.read { (recorder) throws(StoreError) in
      try recorder.importProgress(id)
    }
    #expect(progress == ImportProgress(rows: 1, done: 1, refused: 0))
  }

  private static let forged =
    "an answer of Apple's is not to be believed: "
    + "transaction refused by rule chain.path: its certificates do not lead to a trusted root: "
    + "import the line again"

  /// Lets a process of its own work until something is so.
  private func run(_ served: ReconciledLedger, until isSo: () throws -> Bool) async throws {
    let reconciliation = try served.reconciliation()
    reconciliation.start()
    while try !isSo() { try await Task.sleep(for: .milliseconds(1)) }
    reconciliation.stop()
  }

  private func finish(_ id: Int64, of served: ReconciledLedger) async throws {
    let reconciliation = try served.reconciliation()
    reconciliation.start()
    try await waitForImport(id, of: served)
    reconciliation.stop()
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

  private func answer(
    _ customer: String, _ product: SimulatedProduct = .themes, in served: ReconciledLedger
  ) throws -> String {
    let key = CustomerKey(scope: served.scope, id: try #require(CustomerID(customer)))
    return try served.ledger.makeReader().answer(of: key, now: served.moment.get())
      .decision(on: product.id).verdict.rawValue
  }
}
