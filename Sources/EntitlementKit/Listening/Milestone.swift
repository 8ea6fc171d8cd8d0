import Foundation

/// Something that happens once, and that others wait for.
final class Milestone: @unchecked Sendable {
  private let lock = NSLock()
  private var isReached = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Lets everybody go on who waits, and who will.
  func reach() {
    lock.lock()
    let waiting = waiters
    waiters = []
    isReached = true
    lock.unlock()
    for waiter in waiting { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { waiter in
      lock.lock()
      let mayGoOn = isReached
      if !mayGoOn { waiters.append(waiter) }
      lock.unlock()
      if mayGoOn { waiter.resume() }
    }
  }
}
