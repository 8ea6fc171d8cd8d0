import AppStoreModel
import Synchronization

/// What others see of a reconciler, and ask it for, without waiting for it.
final class ReconciliationBoard: Sendable {
  private struct State {
    var progress: ReconciliationProgress
    var passRequestedAt: Timestamp?
  }

  private let state: Mutex<State>

  init(_ progress: ReconciliationProgress) {
    state = Mutex(State(progress: progress))
  }

  var progress: ReconciliationProgress { state.withLock { $0.progress } }

  var passRequestedAt: Timestamp? { state.withLock { $0.passRequestedAt } }

  /// Asks for everything to be asked once; one that was asked for before and goes on counts.
  func requestPass(at now: Timestamp) {
    state.withLock { state in
      guard state.passRequestedAt == nil || state.progress.isFinished else { return }
      state.passRequestedAt = now
      let known = state.progress
      state.progress = ReconciliationProgress(scope: known.scope)
      state.progress.trouble = known.trouble
      state.progress.isAnswerUnusable = known.isAnswerUnusable
      state.progress.advice = known.advice
    }
  }

  /// Goes on with a pass that was asked for earlier and not done.
  func continuePass(askedForAt moment: Timestamp) {
    state.withLock { $0.passRequestedAt = moment }
  }

  func update(_ change: (inout ReconciliationProgress) -> Void) {
    state.withLock { change(&$0.progress) }
  }
}
