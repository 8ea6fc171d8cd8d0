import LedgerStorage
import Synchronization

/// What became of the lines so far; the store's thread and the reading one both write it.
final class ReplayTally: Sendable {
  struct Counts: Sendable {
    var read = 0
    var stored = 0
    var repeated = 0
    /// By the reason why.
    var quarantined: [String: Int] = [:]
    var failure: StoreError?
  }

  private let mutex = Mutex(Counts())

  var counts: Counts { mutex.withLock { $0 } }

  func add(_ outcomes: [ReplayLine.Outcome]) {
    mutex.withLock { counts in
      for outcome in outcomes {
        counts.read += 1
        switch outcome {
        case .stored: counts.stored += 1
        case .repeated: counts.repeated += 1
        case .quarantined(let reason): counts.quarantined[reason, default: 0] += 1
        }
      }
    }
  }

  func fail(_ error: StoreError) {
    mutex.withLock { counts in
      if counts.failure == nil { counts.failure = error }
    }
  }
}
