import HTTPListener
import Synchronization
import Testing

@Suite struct WakeableThreadTests {
  /// Longer than any test may take: a sleep of this length ends only if somebody ends it.
  private static let forever: Int32 = 3_600_000

  @Test func `closing wakes a sleeping thread and waits for its end`() {
    let thread = WakeableThread()
    let turns = Turns()
    thread.start {
      thread.takeTurns(pausing: Self.forever) { turns.take(of: 1) }
      turns.end()
    }
    thread.close()
    #expect(turns.haveEnded)
  }

  @Test func `turns follow one another while there is more to do`() {
    let thread = WakeableThread()
    let (turns, done) = (Turns(), Signal())
    thread.start {
      thread.takeTurns(pausing: Self.forever) {
        let isMore = turns.take(of: 5)
        if !isMore { done.raise() }
        return isMore
      }
    }
    done.wait(milliseconds: Self.forever)
    thread.close()
    #expect(turns.count == 5)
  }

  @Test func `a wake before the sleep is not lost`() {
    let thread = WakeableThread()
    let (turns, done) = (Turns(), Signal())
    thread.wake()
    thread.start {
      thread.sleep(milliseconds: Self.forever)
      _ = turns.take(of: 1)
      done.raise()
    }
    done.wait(milliseconds: Self.forever)
    thread.close()
    #expect(turns.count == 1)
  }

  @Test func `the signal of another wakes it as well`() {
    let (signal, done) = (Signal(), Signal())
    let thread = WakeableThread(wokenBy: signal)
    thread.start {
      thread.sleep(milliseconds: Self.forever)
      done.raise()
    }
    signal.raise()
    done.wait(milliseconds: Self.forever)
    thread.close()
    #expect(thread.isEnding)
  }

  @Test func `closing twice, or what was never started, returns at once`() {
    let started = WakeableThread()
    started.start { started.takeTurns(pausing: Self.forever) { false } }
    started.close()
    started.close()
    let never = WakeableThread()
    never.close()
    #expect(started.isEnding && never.isEnding)
  }
}

private final class Turns: Sendable {
  private let taken = Atomic<Int>(0)
  private let isOver = Atomic<Bool>(false)

  var count: Int { taken.load(ordering: .sequentiallyConsistent) }
  var haveEnded: Bool { isOver.load(ordering: .sequentiallyConsistent) }

  /// - Returns: Whether one more is to be taken.
  func take(of total: Int) -> Bool {
    taken.add(1, ordering: .sequentiallyConsistent).newValue < total
  }

  func end() { isOver.store(true, ordering: .sequentiallyConsistent) }
}
