import AppStoreModel
import Foundation

/// Tells the developer's server what the store signed, as it is seen; never blocks an answer.
package actor Reporter {
  private let transport: any ReportTransport
  private let clock: any KitClock
  private let storage: any EntitlementCache
  private let appVersion: String?
  private let aloud: @Sendable (String) -> Void
  private var queue: ReportQueue
  /// Whether the file holds what the queue does.
  private var isWritten = true
  private var waiter: CheckedContinuation<Void, Never>?

  package init(
    transport: any ReportTransport, clock: any KitClock, storage: any EntitlementCache,
    appVersion: String? = nil, aloud: (@Sendable (String) -> Void)? = nil
  ) {
    self.transport = transport
    self.clock = clock
    self.storage = storage
    self.appVersion = appVersion
    self.aloud = aloud ?? Self.console
    let left = (try? storage.read()) ?? nil
    queue = left.map { ReportQueue($0) } ?? ReportQueue()
  }

  /// How many texts wait to be sent.
  package var pending: Int { queue.count }

  /// Queues texts that told something new.
  ///
  /// - Returns: Whether they outlive this run.
  func add(_ texts: [ReportQueue.Text]) -> Bool {
    var isNews = false
    for text in texts where queue.add(text) { isNews = true }
    if isNews || !isWritten { save() }
    if isNews { wake() }
    return isWritten
  }

  /// Sends until the task is cancelled; waits while there is nothing to send.
  ///
  /// - Parameter tell: Hears what stands in the developer's way whenever that changes; `nil` once nothing
  ///   does.
  package func run(telling tell: @Sendable (ReportingProblem?) -> Void) async {
    while !Task.isCancelled {
      guard let batch = queue.nextBatch else {
        await waitForNews()
        continue
      }
      let body = ReportQueue.body(batch, appVersion: appVersion)
      let wait = settle(batch, await transport.send(body, of: batch), tell)
      if let wait { await clock.sleep(wait) }
    }
  }

  private func settle(
    _ batch: [ReportQueue.Text], _ outcome: ReportQueue.Outcome,
    _ tell: (ReportingProblem?) -> Void
  ) -> TimeSpan? {
    let before = queue.problem
    let wait = queue.settle(batch, outcome)
    save()
    if queue.problem != before {
      tell(queue.problem)
      if let problem = queue.problem { complain(of: problem) }
    }
    return wait
  }

  /// A build for debugging says it where its developer looks; a release tells only the app.
  private func complain(of problem: ReportingProblem) {
    #if DEBUG
      aloud(
        "EntitlementKit: REPORTS DO NOT ARRIVE: \(problem). \(problem.advice)"
          + " (\(queue.count) waiting)")
    #endif
  }

  private static let console: @Sendable (String) -> Void = { line in
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  private func waitForNews() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled || queue.nextBatch != nil {
          continuation.resume()
        } else {
          waiter = continuation
        }
      }
    } onCancel: {
      Task { await self.wake() }
    }
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }

  /// A queue that cannot be written is still sent in this run.
  private func save() {
    isWritten = (try? storage.write(queue.bytes())) != nil
  }
}
