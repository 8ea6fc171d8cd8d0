import Synchronization

/// Work that other threads leave for a loop, and the descriptor that wakes it.
final class Mailbox: Sendable {
  private let signal = Signal()
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  var descriptor: Int32 { signal.descriptor }

  func post(_ work: @escaping @Sendable () -> Void) {
    let wasEmpty = waiting.withLock { waiting in
      waiting.append(work)
      return waiting.count == 1
    }
    if wasEmpty { wake() }
  }

  func wake() { signal.raise() }

  func drain() {
    signal.lower()
    let work = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for piece in work { piece() }
  }
}
