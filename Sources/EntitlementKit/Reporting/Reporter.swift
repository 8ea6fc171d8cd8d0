import AppStoreModel

/// Tells the developer's server what the store signed, as it is seen; never blocks an answer.
package actor Reporter {
  private let transport: any ReportTransport
  private let clock: any KitClock
  private let storage: any EntitlementCache
  private let appVersion: String?
  private var queue: ReportQueue
  /// Whether the file holds what the queue does.
  private var isWritten = true
  private var waiter: CheckedContinuation<Void, Never>?

  package init(
    transport: any ReportTransport, clock: any KitClock, storage: any EntitlementCache,
    appVersion: String? = nil
  ) {
    self.transport = transport
    self.clock = clock
    self.storage = storage
    self.appVersion = appVersion
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
  package func run() async {
    while !Task.isCancelled {
      guard let batch = queue.nextBatch else {
        await waitForNews()
        continue
      }
      let outcome = await transport.send(ReportQueue.body(batch, appVersion: appVersion))
      let wait = queue.settle(batch, outcome)
      save()
      if let wait { await clock.sleep(wait) }
    }
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
