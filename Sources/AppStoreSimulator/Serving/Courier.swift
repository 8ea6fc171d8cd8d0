import AppStoreModel
import HTTPListener

/// Posts notifications when they are due, one after the other, on a thread of its own.
final class Courier: Sendable {
  private let state: SimulatorState
  private let receiver: String
  private let thread: WakeableThread

  init(_ state: SimulatorState, receiver: String) {
    self.state = state
    self.receiver = receiver
    thread = WakeableThread(wokenBy: state.changed)
    thread.start { [self] in run() }
  }

  func stop() { thread.close() }

  private func run() {
    guard let poster = try? NotificationPoster(url: receiver) else { return }
    thread.takeTurns(pausing: 250) {
      guard let sent = state.nextTransmission() else { return false }
      state.record(poster.result(of: sent.signedPayload), sent)
      return true
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
