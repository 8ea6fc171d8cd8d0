import AppStoreSimulator
import Foundation
import Synchronization

/// Several threads that post to one server until they are done or it is gone.
final class Posters: Sendable {
  private struct State {
    var waiting: [Int]
    var acknowledged: [Int] = []
    var refused: [Int] = []
    var unanswered: [Int] = []
  }

  private let url: String
  private let texts: [String]
  private let state: Mutex<State>
  private let running: DispatchGroup = DispatchGroup()

  /// Posts those of `texts` that `order` names, each once.
  init(_ count: Int, url: String, texts: [String], order: [Int]) {
    self.url = url + "/apple/notifications"
    self.texts = texts
    state = Mutex(State(waiting: order.reversed()))
    for _ in 0..<count {
      running.enter()
      Thread.detachNewThread { [self] in
        work()
        running.leave()
      }
    }
  }

  /// Places of the texts that were answered 200.
  var acknowledged: [Int] { state.withLock { $0.acknowledged } }
  /// Places of those that were answered otherwise.
  var refused: [Int] { state.withLock { $0.refused } }
  /// Places of those that were sent, or tried to be, and not answered.
  var unanswered: [Int] { state.withLock { $0.unanswered } }

  func wait() { running.wait() }

  private func work() {
    guard let poster = try? NotificationPoster(url: url, timeoutMilliseconds: 20_000) else {
      return
    }
    while let place = state.withLock({ $0.waiting.popLast() }) {
      guard let status = try? poster.post(texts[place]) else {
        return state.withLock { $0.unanswered.append(place) }
      }
      state.withLock { state in
        if status == 200 { state.acknowledged.append(place) } else { state.refused.append(place) }
      }
    }
  }
}
