import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Glibc
import LedgerStorage
import Testing

@testable import LedgerServer

/// Answers of Apple's API that cannot be used: they are told, cost no data, and are asked for again.
struct AnswerFaultTests {
  /// Five purchases of which everything arrived, and what Apple answers wrongly from now on.
  private func served(
    _ configured: (inout Configuration) -> Void = { _ in },
    _ change: (inout SimulatedQuestions.State) -> Void
  ) throws -> ReconciledLedger {
    let served = try ReconciledLedger(configured: configured)
    try served.play { stage in
      for index in 0..<5 { _ = try stage.buy(.themes, stage.store.enroll("C\(index)")) }
      stage.wait(.hours(1))
    }
    served.questions.change(change)
    return served
  }

  /// Everything that is logged while something happens.
  private func logged(_ body: (Log) async throws -> Void) async throws -> [JSONValue] {
    let path = "/tmp/clawback-log-\(UInt64.random(in: 0 ... .max))"
    let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
    defer {
      close(descriptor)
      unlink(path)
    }
    let log = Log(descriptor: descriptor)
    try await body(log)
    log.close()
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return try bytes.prefix(max(count, 0)).split(separator: 0x0A).map {
      try JSONValue(json: Array($0))
    }
  }

  @Test(
    arguments: [
      (["A"], [], "Apple's pages do not come to an end: a token came a second time"),
      (["A", "B"], [], "Apple's pages do not come to an end: a token came a second time"),
      (
        ["A"], Array(repeating: [nil, .pageExpired], count: 10).flatMap { $0 },
        "Apple's token of the next page has expired"
      ),
      (
        [], Array(repeating: .notFound(code: 4_040_010), count: 10),
        "Apple refused the question (4040010): no notification history is found"
      ),
    ] as [([String], [QuestionFailure?], String)])
  func `a notification history that leads nowhere is left after three rests, and told`(
    tokens: [String], failures: [QuestionFailure?], trouble: String
  ) async throws {
    let served = try served { state in
      state.misleading[.notifications] = tokens
      state.failures[.notifications] = failures
    }
    let begun = served.moment.get()
    let lines = try await logged { log in
      let progress = try await served.reconcile(log: log)
      #expect(progress.isFinished)
      #expect(progress.trouble == trouble)
      #expect(progress.asked == (tokens.isEmpty ? 0 : 5), "what it spoke of is asked about")
    }
    #expect(served.questions.count(.notifications) <= 9)
    #expect(served.moment.get() >= begun.adding(.seconds(15)), "with growing rests")
    let told = lines.filter { $0["level"]?.string == "warning" && $0["detail"]?.string == trouble }
    #expect(told.count == 1)
    #expect(try served.gaps().count == (tokens.isEmpty ? 0 : 5), "what was read is kept")
    served.questions.change { state in
      state.misleading = [:]
      state.failures = [:]
    }
    let again = try await served.reconcile()
    #expect(again.trouble == nil)
    #expect(try served.gaps().count == 5)
  }

  @Test func `a server that is on its own asks a history that leads nowhere ever less often`()
    async throws
  {
    let served = try served({ $0.reconciliation.isScheduled = true }) { state in
      state.misleading[.notifications] = ["A"]
    }
    let begun = served.moment.get()
    let reconciliation = try served.reconciliation()
    reconciliation.start()
    while served.moment.get() < begun.adding(.hours(12)) {
      try await Task.sleep(for: .milliseconds(1))
    }
    reconciliation.stop()
    // Two pages each time: after 5 s, 10 s and so on, and then every hour.
    let hours =
      (served.moment.get().millisecondsSince1970 - begun.millisecondsSince1970) / 3_600_000
    let most = 2 * (Int(hours) + 12)
    #expect((12...most).contains(served.questions.count(.notifications)))
    let progress = try #require(reconciliation.progress.first)
    #expect(
      progress.trouble
        == "Apple's pages do not come to an end: a token came a second time")
    #expect(served.questions.count(.refunds) >= 5, "nothing else is kept waiting by it")
  }

  @Test(arguments: [["A"], ["A", "B"], (0..<2_000).map { "t\($0)" }])
  func `a refund history that leads nowhere is told and read from its start the next time`(
    tokens: [String]
  ) async throws {
    let served = try served { state in state.misleading[.refunds] = tokens }
    try served.deliver()
    let progress = try await served.reconcile()
    #expect(progress.isFinished)
    #expect(progress.failed == 5)
    #expect(progress.refundHistories == 0)
    #expect(progress.trouble?.contains("Apple's pages do not come to an end") == true)
    #expect(served.questions.count(.refunds) <= 5 * 50)
    let bought = try #require(served.questions.asked(.info).first)
    try served.play { stage in
      stage.waitDays(1)
      try stage.refund(bought)
      stage.wait(.hours(1))
    }
    try served.forgetNotifications()
    served.questions.change { state in
      state.misleading = [:]
      state.asked = []
    }
    let again = try await served.reconcile()
    #expect(again.trouble == nil)
    #expect(served.questions.asked(.refunds).allSatisfy { $0.hasSuffix(" -") })
    #expect(try served.refunded() == 9_990)
  }

  @Test(arguments: [SimulatedQuestions.Kind.info, .statuses, .refunds])
  func `an answer that another authority signed is no answer, and is told`(
    kind: SimulatedQuestions.Kind
  ) async throws {
    let served = try ReconciledLedger()
    var ada: Customer?
    var (pro, themes) = ("", "")
    try served.play { stage in
      ada = stage.store.enroll("Ada")
      pro = try stage.buy(.pro, try #require(ada))
      themes = try stage.buy(.themes, try #require(ada))
      stage.wait(.hours(1))
    }
    try served.deliver()
    try served.play { stage in
      stage.waitDays(1)
      try stage.refund(themes)
      try stage.refund(pro)
      stage.wait(.hours(1))
    }
    try served.forgetNotifications()
    served.questions.change { $0.forged = [.info, .statuses, .refunds] }
    let lines = try await logged { log in
      let progress = try await served.reconcile(log: log)
      #expect(progress.isFinished)
      #expect(progress.failed > 0)
      #expect(progress.refundHistories == 0)
      #expect(progress.trouble?.contains("is not to be believed") == true)
    }
    #expect(
      lines.contains {
        $0["event"]?.string == "answerUnusable"
          && $0["detail"]?.string?.contains("is not to be believed") == true
      })
    #expect(try served.verdict(try #require(ada), .themes) == "granted")
    #expect(try served.verdict(try #require(ada), .pro) == "granted")
    // Where one way is honest, the refund is found by it.
    served.questions.change { $0.forged.remove(kind) }
    try served.play { $0.wait(.hours(26)) }
    try await served.reconcile()
    let found = kind == .statuses ? SimulatedProduct.pro : .themes
    #expect(try served.verdict(try #require(ada), found) == "denied")
  }

  @Test func `what is new beside an unproved refund is taken, and both are read again`()
    async throws
  {
    let reading = TransactionPage(signedTransactions: ["x"], revision: "1", hasMore: true)
    var history = HistoryReading(.refundHistory, after: "0")
    try history.pass(reading, nil)
    #expect((history.next, history.kept) == ("1", "1"))
    let fault = QuestionFailure.unproved(detail: "d")
    try history.pass(
      TransactionPage(signedTransactions: ["x"], revision: "2", hasMore: true), fault)
    #expect((history.next, history.kept) == ("2", "1"))
    try history.pass(
      TransactionPage(signedTransactions: ["x"], revision: "3", hasMore: false), nil)
    #expect((history.next, history.kept) == (nil, "1"))
    #expect(history.fault == fault)
  }

  @Test func `a fault is told until the same question is answered well`() {
    var faults = AnswerFaults()
    let news = [
      faults.note(.pageExpired, of: .chain(1)), faults.note(.pageExpired, of: .chain(1)),
      faults.note(.startRefused, of: .chain(1)), faults.note(.pageExpired, of: .refunds("1")),
    ]
    #expect(news == [true, false, true, true])
    #expect(faults.first == .startRefused)
    faults.clear(.chain(1))
    #expect(faults.first == .pageExpired)
    faults.clear(.refunds("1"))
    #expect(faults.first == nil)
  }
}
