import AppStoreModel
import AppStoreServerAPI
import EntitlementLedger
import HTTPListener
import LedgerStorage
import Synchronization

/// Answers Apple's consumption requests when their turn comes.
///
/// An answer is sent again only after an error that may pass, and each time only if it may still be given:
/// consent, Apple's decision and the deadline are read just before. One that was sent just before the
/// process died is sent once more, with the same content: Apple replaces it.
final class CaseKeeper: Sendable {
  /// What became of one request, for the log.
  typealias Report = @Sendable (CaseWork, Result<RequestUpdate, StoreError>) -> Void

  private static let parallel = 16

  private let ledger: Ledger
  private let sender: any ConsumptionSender
  private let policies: [String: Configuration.ConsumptionPolicies]
  private let clock: ServerClock
  private let report: Report
  private let underWay = Mutex<[String: Task<Void, Never>]>([:])
  private let sent = Signal()
  private let thread = WakeableThread()
  private let executor = WorkerTaskExecutor()

  init(
    _ ledger: Ledger, sender: any ConsumptionSender,
    policies: [String: Configuration.ConsumptionPolicies], clock: ServerClock,
    report: @escaping Report
  ) {
    self.ledger = ledger
    self.sender = sender
    self.policies = policies
    self.clock = clock
    self.report = report
    thread.start { [self] in run() }
  }

  /// Ends what is under way, and waits for it.
  func close() {
    thread.close()
    let tasks = underWay.withLock { Array($0.values) }
    for task in tasks { task.cancel() }
    while underWay.withLock({ !$0.isEmpty }) { sent.wait(milliseconds: 10) }
    executor.close()
  }

  private func run() {
    // What was withheld by another configuration may be answered by this one.
    _ = try? ledger.wait { ledger.reconsiderRequests(now: clock.now(), completion: $0) }
    var reader: LedgerReader?
    thread.takeTurns(pausing: 200) {
      // A store that cannot be read yet may be read the next time.
      reader = reader ?? (try? ledger.makeReader())
      return reader.map(work) ?? false
    }
  }

  /// - Returns: Whether anything was done.
  private func work(_ reader: LedgerReader) -> Bool {
    let now = clock.now()
    guard let due = try? reader.nextDueRequest(), due <= now,
      let requests = try? reader.dueRequests(by: now, limit: 4 * Self.parallel)
    else { return false }
    var isDone = false
    for request in requests where !isUnderWay(request) {
      isDone = perform(work(on: request), at: now) || isDone
    }
    return isDone
  }

  private func work(on request: DueRequest) -> CaseWork {
    let scope = request.stored.refundCase.scope
    let policies = policies[scope.bundleId] ?? Configuration.ConsumptionPolicies()
    return CaseWork(
      due: request, policy: policies.policy(for: request.stored.productId),
      isConfigured: sender.isConfigured(scope))
  }

  private func perform(_ work: CaseWork, at now: Timestamp) -> Bool {
    switch work.step(at: now) {
    case .write(let update):
      let result = Result { () throws(StoreError) in
        try ledger.wait { ledger.update(update, now: now, completion: $0) }
      }
      report(work, result.map { _ in update })
      return true
    case .send: return send(work.due)
    }
  }

  private func isUnderWay(_ request: DueRequest) -> Bool {
    underWay.withLock { $0[request.name] != nil }
  }

  private func send(_ due: DueRequest) -> Bool {
    underWay.withLock { tasks in
      guard tasks.count < Self.parallel else { return false }
      tasks[due.name] = Task(executorPreference: executor) { [self] in
        await deliver(due)
        underWay.withLock { $0[due.name] = nil }
        sent.raise()
        thread.wake()
      }
      return true
    }
  }

  /// Looks once more, and sends if nothing has changed that forbids it.
  private func deliver(_ due: DueRequest) async {
    guard let reader = try? ledger.makeReader(),
      let current = try? reader.dueRequest(due.stored.position, due.request.notificationUUID),
      current.request.isOpen
    else { return }
    let work = work(on: current)
    let update: RequestUpdate
    switch work.step(at: clock.now()) {
    case .write(let settled): update = settled
    case .send(let answer):
      guard let outcome = await send(answer, work) else { return }
      update = outcome
    }
    let written = await withCheckedContinuation { continuation in
      ledger.update(update, now: clock.now()) { continuation.resume(returning: $0) }
    }
    report(work, written.map { _ in update })
  }

  /// - Returns: What came of it; `nil` where it was cancelled.
  private func send(_ answer: CaseAnswer, _ work: CaseWork) async -> RequestUpdate? {
    let refundCase = work.due.stored.refundCase
    let outcome: Result<Int, AppStoreServerError>
    do throws(AppStoreServerError) {
      outcome = .success(
        try await sender.send(answer, for: refundCase.transactionId, in: refundCase.scope))
    } catch .cancelled {
      return nil
    } catch {
      outcome = .failure(error)
    }
    return work.result(of: answer, outcome, at: clock.now())
  }
}

extension DueRequest {
  fileprivate var name: String { "\(stored.position) \(request.notificationUUID)" }
}
