import AppStoreSimulator
import Glibc
import HTTPListener
import Synchronization

/// Posts notifications from several threads at a steady rate, or as fast as they are taken.
final class BackgroundPosts: Sendable {
  private let payloads: [String]
  private let url: String
  private let rate: Double
  private let posters: Int
  private let next = Atomic<Int>(0)
  private let accepted = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)
  private let begun = Mutex<Double>(0)
  private let threads = Mutex<[WorkerThread]>([])

  /// - Parameters:
  ///   - payloads: Signed; each is posted once.
  ///   - url: Where to.
  ///   - rate: How many a second; infinite for as many as are taken.
  ///   - posters: How many connections.
  init(_ payloads: [String], to url: String, rate: Double, posters: Int) {
    self.payloads = payloads
    self.url = url
    self.rate = rate
    self.posters = posters
  }

  func start() {
    let now = WallClock.steadySeconds
    begun.withLock { $0 = now }
    threads.withLock { threads in
      threads = (0..<posters).map { _ in WorkerThread { [self] in post(from: now) } }
    }
  }

  /// Waits until everything has been posted.
  ///
  /// - Returns: how many were taken, and in how many seconds.
  func finish() -> (count: Int, seconds: Double) {
    for thread in threads.withLock({ $0 }) { thread.join() }
    let seconds = WallClock.steadySeconds - begun.withLock { $0 }
    return (accepted.load(ordering: .relaxed), seconds)
  }

  /// Ends the posting.
  ///
  /// - Returns: how many a second were taken.
  func stop() -> Double {
    isStopped.store(true, ordering: .relaxed)
    let (count, seconds) = finish()
    return Double(count) / seconds
  }

  private func post(from begin: Double) {
    guard let poster = try? NotificationPoster(url: url) else { return }
    while !isStopped.load(ordering: .relaxed) {
      let place = next.add(1, ordering: .relaxed).oldValue
      guard place < payloads.count else { return }
      let due = begin + Double(place) / rate
      while due > WallClock.steadySeconds, !isStopped.load(ordering: .relaxed) { usleep(200) }
      if (try? poster.post(payloads[place])) == 200 { accepted.add(1, ordering: .relaxed) }
    }
  }
}
