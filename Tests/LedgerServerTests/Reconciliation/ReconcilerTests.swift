import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Glibc
import LedgerStorage
import Synchronization
import Testing

@testable import LedgerServer

struct ReconcilerTests {
  private let outage = [0, 1, 13, 37, 85, 157].map { hours in
    SendingAttempt(
      date: ReconciledLedger.start.adding(.hours(hours)), result: "NO_RESPONSE")
  }

  @Test func `an outage of seven days is recovered, and the gaps are named`() async throws {
    let served = try ReconciledLedger()
    var ada: Customer?
    var ben: Customer?
    try served.play { stage in
      ada = stage.store.enroll("Ada")
      ben = stage.store.enroll("Ben", withToken: false)
      _ = try stage.buy(.pro, try #require(ada))
    }
    try served.deliver()
    try served.play { stage in
      stage.waitDays(1)
      _ = try stage.buy(.themes, try #require(ben))
      let chain = stage.store.notifications[0].transaction?.transactionId ?? ""
      stage.waitDays(2)
      try stage.refund(chain)
      stage.waitDays(4)
    }
    try served.deliver { _ in true }
    served.questions.change { state in
      for notification in state.stage.store.notifications.dropFirst() {
        state.attempts[notification.payload.notificationUUID ?? ""] = outage
      }
    }
    #expect(try served.verdict(try #require(ada), .pro) == "granted")
    let progress = try await served.reconcile()
    #expect(progress.isFinished)
    #expect(progress.trouble == nil)
    #expect(try served.verdict(try #require(ada), .pro) == "denied")
    #expect(try served.verdict(try #require(ben), .themes) == "granted")
    let gaps = try served.gaps()
    #expect(gaps.map(\.type) == ["ONE_TIME_CHARGE", "REFUND"])
    #expect(gaps.map(\.reason) == [.outage, .outage])
    #expect(gaps.allSatisfy { $0.attempts.count == 6 && $0.factID != nil && $0.arrivedAt == nil })
    try await served.reconcile()
    #expect(try served.gaps().count == 2)
  }

  @Test func `what was stored is no gap, not even when it was signed anew`() async throws {
    let served = try ReconciledLedger()
    try served.play { stage in
      _ = try stage.buy(.pro, stage.store.enroll("Ada"))
      stage.store.sendTest(at: stage.now)
      stage.wait(.hours(1))
    }
    try served.deliver()
    try await served.reconcile()
    #expect(try served.gaps() == [])
    try served.play { stage in
      stage.store.sendAgain(0)
      stage.wait(.hours(1))
    }
    try await served.reconcile()
    #expect(try served.gaps() == [])
  }

  @Test func `a refund that nobody notified is found by asking, a reversal too`() async throws {
    let served = try ReconciledLedger()
    var ada: Customer?
    var id = ""
    try served.play { stage in
      ada = stage.store.enroll("Ada")
      id = try stage.buy(.themes, try #require(ada))
    }
    try served.deliver()
    served.questions.change { $0.pagesLeft = Int.max }
    try served.play { stage in
      stage.waitDays(3)
      try stage.refund(id)
      stage.wait(.hours(1))
    }
    try served.forgetNotifications()
    try await served.reconcile()
    #expect(try served.verdict(try #require(ada), .themes) == "denied")
    #expect(try served.refunded() == 9_990)
    try served.play { stage in
      stage.waitDays(2)
      try stage.store.reverseRefund(of: id, at: stage.now)
      stage.wait(.hours(1))
    }
    try served.forgetNotifications()
    try await served.reconcile()
    #expect(try served.verdict(try #require(ada), .themes) == "granted")
    #expect(try served.refunded() == 0)
  }

  @Test(arguments: [
    QuestionFailure.notFound(code: 4_040_010), .unavailable(detail: "HTTP 502"),
    .limited(until: ReconciledLedger.start.adding(.days(8))), .unauthorized(detail: "401"),
    .refused(code: 4_000_006, detail: "InvalidTransactionId"), .pageExpired, .startRefused,
  ])
  func `no failure of Apple's takes anything from anybody, and nothing is lost`(
    failure: QuestionFailure
  ) async throws {
    let served = try ReconciledLedger()
    var ada: Customer?
    try served.play { stage in
      ada = stage.store.enroll("Ada")
      _ = try stage.buy(.themes, try #require(ada))
      _ = try stage.buy(.pro, try #require(ada))
      stage.waitDays(7)
    }
    try served.deliver { $0.transaction?.productId == SimulatedProduct.pro.id }
    served.questions.change { state in
      for kind in [
        SimulatedQuestions.Kind.notifications, .refunds, .info, .statuses,
      ] { state.failures[kind] = [failure, failure] }
    }
    try await served.reconcile()
    #expect(try served.verdict(try #require(ada), .themes) == "granted")
    for _ in 0..<5 where try served.verdict(try #require(ada), .pro) != "granted" {
      try await served.reconcile()
    }
    #expect(try served.verdict(try #require(ada), .pro) == "granted")
    #expect(try served.gaps().map(\.type) == ["SUBSCRIBED"])
  }

  @Test func `a walk that was cut off goes on where it stopped`() async throws {
    let path = "/tmp/clawback-reconcile-\(UInt64.random(in: 0 ... .max)).db"
    let served = try ReconciledLedger(database: path)
    try served.play { stage in
      for index in 0..<45 { _ = try stage.buy(.coins, stage.store.enroll("C\(index)")) }
      stage.wait(.hours(1))
    }
    served.questions.change { $0.pagesLeft = 2 }
    try await served.reconcile(untilAsked: 3)
    try served.reopen()
    #expect(try served.gaps().count == 40)
    served.questions.change { state in
      state.pagesLeft = .max
      state.asked = []
    }
    try await served.reconcile()
    #expect(served.questions.asked(.notifications).first == "40")
    #expect(try served.gaps().count == 45)
    // What was bought just now is asked about a day later.
    try served.play { $0.wait(.hours(26)) }
    try await served.reconcile()
    #expect(served.questions.count(.info) >= 45)
    served.remove(path)
  }

  @Test func `a window that became too old on the way begins anew, and nothing is missed`()
    async throws
  {
    let path = "/tmp/clawback-reconcile-\(UInt64.random(in: 0 ... .max)).db"
    let served = try ReconciledLedger(database: path)
    try served.play { stage in
      for index in 0..<25 { _ = try stage.buy(.coins, stage.store.enroll("C\(index)")) }
      stage.wait(.hours(1))
    }
    served.questions.change { $0.pagesLeft = 1 }
    try await served.reconcile(untilAsked: 2)
    try served.reopen()
    try served.play { $0.wait(.hours(3)) }
    served.questions.change { state in
      state.pagesLeft = .max
      state.asked = []
      state.failures[.notifications] = [.startRefused]
    }
    let progress = try await served.reconcile()
    #expect(progress.trouble == nil)
    #expect(served.questions.asked(.notifications).prefix(2) == ["20", ""])
    #expect(try served.gaps().count == 25)
    served.remove(path)
  }

  @Test func `purchases that only history brings are counted as still to do`() async throws {
    let served = try ReconciledLedger()
    try served.play { stage in
      for index in 0..<7 { _ = try stage.buy(.themes, stage.store.enroll("C\(index)")) }
      stage.wait(.hours(1))
    }
    served.questions.change { state in
      state.failures[.refunds] = Array(repeating: .unauthorized(detail: "401"), count: 100)
    }
    let progress = try await served.reconcile()
    #expect(progress.isFinished)
    #expect(progress.refundHistories == 0)
    #expect(progress.total - progress.done >= 7)
    served.questions.change { $0.failures = [:] }
    let again = try await served.reconcile()
    #expect(again.refundHistories == 7)
    #expect(again.total == again.done)
  }

  @Test func `a store whose clock is ahead ends the pass at once, which goes on when clocks agree`()
    async throws
  {
    let served = try ReconciledLedger()
    try served.play { stage in
      for index in 0..<5 { _ = try stage.buy(.themes, stage.store.enroll("C\(index)")) }
      stage.wait(.hours(1))
    }
    try served.deliver()
    served.questions.change { state in
      state.failures[.notifications] = Array(repeating: .startRefused, count: 100)
    }
    let progress = try await served.reconcile()
    #expect(progress.isFinished)
    #expect(progress.trouble == QuestionFailure.clocksDiffer.description)
    #expect(progress.advice == QuestionFailure.clocksDiffer.advice)
    #expect(served.questions.count(.notifications) == 1)
    #expect(progress.refundHistories < 5)
    served.questions.change { $0.failures = [:] }
    let again = try await served.reconcile()
    #expect(again.trouble == nil)
    #expect(again.isFinished)
    #expect(progress.refundHistories + again.refundHistories == 5)
  }

  @Test
  func `the refund of an old purchase comes with one page, from where the last reading ended`()
    async throws
  {
    let served = try ReconciledLedger()
    var old = ""
    var ada: Customer?
    try served.play { stage in
      ada = stage.store.enroll("Ada")
      old = try stage.buy(.themes, try #require(ada))
      for _ in 0..<60 {
        stage.wait(.hours(1))
        try stage.refund(try stage.buy(.coins, try #require(ada)))
      }
      // Old enough that nothing but refund history speaks of it.
      stage.waitDays(100)
    }
    try served.deliver()
    try await served.reconcile()
    #expect(served.questions.count(.refunds) == 3)
    #expect(try served.verdict(try #require(ada), .themes) == "granted")
    try served.play { stage in
      try stage.refund(old)
      stage.wait(.hours(1))
    }
    try served.forgetNotifications()
    served.questions.change { $0.asked = [] }
    try await served.reconcile()
    #expect(served.questions.asked(.refunds).map { $0.split(separator: " ").last } == ["60"])
    #expect(try served.verdict(try #require(ada), .themes) == "denied")
  }

  @Test func `a subscription of which nothing is heard is asked about when it should go on`()
    async throws
  {
    let served = try ReconciledLedger()
    var (ada, ben): (Customer?, Customer?)
    var (renewing, ending) = ("", "")
    try served.play { stage in
      ada = stage.store.enroll("Ada")
      ben = stage.store.enroll("Ben")
      renewing = try stage.buy(.pro, try #require(ada))
      ending = try stage.buy(.pro, try #require(ben))
    }
    try served.deliver()
    try served.play { stage in
      _ = try stage.renew(renewing)
      try stage.store.setAutoRenewal(false, of: ending, at: stage.now)
      try stage.waitForEnd(ending)
      try stage.store.expire(ending, at: stage.now)
      stage.wait(.hours(2))
    }
    try served.forgetNotifications()
    _ = try served.ledger.wait {
      served.ledger.processDueDeadlines(now: served.moment.get(), completion: $0)
    }
    try await served.reconcile()
    #expect(try served.verdict(try #require(ada), .pro) == "granted")
    #expect(try served.verdict(try #require(ben), .pro) == "denied")
  }

  @Test func `a token that expired in the middle of a walk loses nothing`() async throws {
    let served = try ReconciledLedger()
    try served.play { stage in
      for index in 0..<45 { _ = try stage.buy(.coins, stage.store.enroll("C\(index)")) }
      stage.wait(.hours(1))
    }
    served.questions.change { $0.pageSize = 10 }
    let reconciliation = try served.reconciliation()
    served.questions.change { state in
      state.failures[.notifications] = [.pageExpired, .unavailable(detail: "HTML"), .pageExpired]
    }
    reconciliation.requestPass()
    reconciliation.start(endsAfterPass: true)
    await reconciliation.ended()
    reconciliation.stop()
    #expect(try served.gaps().count == 45)
  }

  @Test func `four workers keep to the budget that Apple allows`() async throws {
    let served = try ReconciledLedger(environment: .sandbox) {
      $0.reconciliation.workers = 4
    }
    try served.play { stage in
      for index in 0..<400 { _ = try stage.buy(.coins, stage.store.enroll("C\(index)")) }
      stage.wait(.hours(1))
    }
    try served.deliver()
    let begun = served.moment.get()
    try await served.reconcile()
    let most = served.questions.state.withLock { $0.mostUnderway }
    #expect(most <= 4)
    let seconds = (served.moment.get().millisecondsSince1970 - begun.millisecondsSince1970) / 1_000
    // One call a second for refund history in the sandbox, a minute's worth of them at once.
    #expect(seconds >= 400 - 60 - 5)
    #expect(served.questions.count(.refunds) == 400)
    #expect(served.questions.count(.info) == 400)
  }

  @Test
  func `a doubtful chain is asked about at once, as a whole, and again after fifteen minutes`()
    async throws
  {
    let served = try ReconciledLedger()
    var chain = ""
    try served.play { stage in
      chain = try stage.buy(.pro, stage.store.enroll("Ada"))
      _ = try stage.renew(chain)
      try stage.waitForEnd(chain)
    }
    try served.deliver()
    _ = try served.ledger.wait {
      served.ledger.processDueDeadlines(now: served.moment.get(), completion: $0)
    }
    let due = try served.due()
    #expect(due.map(\.rank) == [.doubt])
    try await served.reconcile()
    #expect(served.questions.count(.info) >= 2)
    #expect(served.questions.count(.statuses) >= 1)
  }
}

extension ReconciledLedger {
  /// Lets what was said be lost for ever, in Apple's history too.
  func forgetNotifications() throws {
    try deliver { _ in true }
    let now = moment.get()
    let whole = now.subtracting(.minutes(1))
    let scope = scope
    try ledger.wait { completion in
      ledger.write(completion) { (recorder) throws(StoreError) in
        var walk = try recorder.walk(.notifications, in: scope)
        walk.coveredFrom = walk.coveredFrom ?? whole
        walk.coveredUntil = now.adding(.hours(1))
        try recorder.save(walk)
      }
    }
  }

  func refunded() throws -> Int64 {
    let statement = SQLStatement("SELECT coalesce(sum(amount_milliunits), 0) FROM postings")
    return try read { (recorder) throws(StoreError) in
      try recorder.session.number(statement, []) ?? 0
    }
  }

  func due() throws -> [ChainQuestion] {
    try read { (recorder) throws(StoreError) in
      try recorder.dueQuestions(in: scope, by: moment.get(), limit: 100)
    }
  }

  /// Begins a pass and breaks it off once so many pages of history were asked for.
  func reconcile(untilAsked pages: Int) async throws {
    let reconciliation = try reconciliation(pages: pages)
    reconciliation.requestPass()
    reconciliation.start(endsAfterPass: true)
    while questions.count(.notifications) < pages { try await Task.sleep(for: .milliseconds(1)) }
    reconciliation.stop()
  }

  func remove(_ path: String) {
    ledger.store.close()
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
  }
}
