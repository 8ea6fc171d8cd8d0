import Synchronization

/// A thread of its own that sleeps until it is woken or a time is over, and ends when it is told to.
package final class WakeableThread: Sendable {
  private let thread = WorkerThread()
  private let signal: Signal
  private let isToldToEnd = Atomic<Bool>(false)

  /// - Parameter signal: Wakes the thread too, raised by whoever knows it.
  package init(wokenBy signal: Signal = Signal()) {
    self.signal = signal
  }

  /// Begins; `body` returns soon once ``isEnding`` is true.
  package func start(_ body: @escaping @Sendable () -> Void) {
    thread.start(body)
  }

  package var isEnding: Bool { isToldToEnd.load(ordering: .relaxed) }

  /// Ends the present sleep, or else the next one before it begins.
  package func wake() { signal.raise() }

  /// Tells the thread to end, wakes it, and waits for its end; nothing happens where none was started.
  package func close() {
    isToldToEnd.store(true, ordering: .relaxed)
    signal.raise()
    thread.join()
  }

  // MARK: On the thread itself

  package func sleep(milliseconds: Int32) {
    signal.wait(milliseconds: milliseconds)
  }

  /// Takes one turn after the other until the end, and sleeps after a turn that leaves nothing to do.
  ///
  /// - Parameters:
  ///   - milliseconds: The length of a sleep that nobody ends.
  ///   - turn: Does what there is, and says whether there may be more at once.
  package func takeTurns(pausing milliseconds: Int32, _ turn: () -> Bool) {
    while !isEnding {
      if !turn() { sleep(milliseconds: milliseconds) }
    }
  }
}
