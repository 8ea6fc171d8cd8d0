import Synchronization

/// Tells whoever wants to hear it that events were committed, so that nobody has to look.
package final class EventNews: Sendable {
  package typealias Observer = @Sendable (_ lastPosition: Int64) -> Void

  private let observers = Mutex<[Observer]>([])

  /// Calls `observer` after each commit that added events, on the store's writer thread: it has to be
  /// quick, and reads the events elsewhere.
  package func observe(_ observer: @escaping Observer) {
    observers.withLock { $0.append(observer) }
  }

  func committed(upTo position: Int64) {
    for observer in observers.withLock({ $0 }) { observer(position) }
  }
}
