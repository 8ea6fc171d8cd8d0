import AppStoreModel
import HTTPListener
import Synchronization

/// Posts notifications when they are due, one after the other, on a thread of its own.
final class Courier: Sendable {
  private let state: SimulatorState
  private let receiver: String
  private let isStopped = Atomic<Bool>(false)
  private let thread = Mutex<WorkerThread?>(nil)

  init(_ state: SimulatorState, receiver: String) {
    self.state = state
    self.receiver = receiver
    thread.withLock { $0 = WorkerThread { [self] in run() } }
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    state.changed.raise()
    thread.withLock { $0?.join() }
  }

  private func run() {
    guard let poster = try? NotificationPoster(url: receiver) else { return }
    while !isStopped.load(ordering: .relaxed) {
      guard let sent = state.nextTransmission() else {
        state.changed.wait(milliseconds: 250)
        continue
      }
      state.record(poster.result(of: sent.signedPayload), sent)
    }
  }
}

extension SimulatorState {
  /// The next post that is due, signed.
  fileprivate func nextTransmission() -> SignedTransmission? {
    withoutWaking { server, now in server.nextTransmission(at: now) }
  }

  fileprivate func record(_ result: SendAttempt.Result, _ sent: SignedTransmission) {
    withoutWaking { server, _ in server.record(result, of: sent) }
  }
}

extension NotificationPoster {
  /// Posts one notification and tells what Apple's history would say of it.
  package func result(of signedPayload: String) -> SendAttempt.Result {
    do throws(PostingFailure) {
      return SendAttempt.Result(status: try post(signedPayload))
    } catch {
      return .noResponse
    }
  }
}
