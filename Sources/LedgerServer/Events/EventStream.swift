import AppStoreModel
import HTTPListener
import LedgerStorage
import Synchronization

/// One reader's stream of events.
///
/// It is live while the feed hands it every event. One that cannot follow falls behind: it keeps a
/// cursor and reads on from the store at its own pace, until it has caught up.
final class EventStream: StreamedBody {
  /// Why a stream ends.
  enum Ending: String {
    case stopping = "the server stops: connect again"
    case stalled = "cut off, since nothing was taken: connect again with Last-Event-ID"
    case keyRevoked = "the key was revoked"
    case expired = "what comes next is no longer kept: connect again for what to do"
    case storeUnavailable = "the store cannot be read: connect again"
  }

  private struct State {
    var cursor: EventCursor
    var backlog = EventBacklog()
    var pulse: StreamPulse
    var isLive = false
    var ending: Ending?
    var waker: StreamWaker?
  }

  let key: APIKey
  private let filter: EventFilter
  private let feed: EventFeed
  private let state: Mutex<State>
  private let release: @Sendable () -> Void

  /// - Parameters:
  ///   - cursor: Checked: everything after it is there to be read.
  ///   - filter: What the reader wants and may see.
  ///   - key: Must stay good for as long as the stream runs.
  ///   - feed: Hands out what is new.
  ///   - release: Called once when the stream has ended.
  init(
    after cursor: EventCursor, _ filter: EventFilter, key: APIKey, feed: EventFeed,
    release: @escaping @Sendable () -> Void
  ) {
    self.key = key
    self.filter = filter
    self.feed = feed
    self.release = release
    var state = State(
      cursor: cursor, pulse: StreamPulse(every: feed.heartbeat, at: feed.ticks()))
    state.backlog.append(
      EventFrame.opening(at: cursor, retryMilliseconds: feed.retry.milliseconds))
    self.state = Mutex(state)
  }

  // MARK: On the feed's thread

  /// Takes what is new; one that is not live will read it from the store.
  func offer(_ frames: [EventFrame]) {
    let waker = state.withLock { state -> StreamWaker? in
      guard state.isLive, state.ending == nil else { return nil }
      let before = state.backlog.count
      for frame in frames where frame.event.position > state.cursor.position {
        if filter.admits(frame.event) {
          guard state.backlog.count < EventBacklog.capacity else {
            state.isLive = false
            break
          }
          state.backlog.append(frame.bytes)
        }
        state.cursor = EventCursor(frame.event.id)
      }
      return state.backlog.count > before ? state.waker : nil
    }
    waker?.wake()
  }

  /// Sends a sign of life if nothing was sent for so long.
  func beat(at now: Int64) {
    let waker = state.withLock { state -> StreamWaker? in
      guard state.pulse.isDue(at: now), state.backlog.isEmpty, state.ending == nil else {
        return nil
      }
      state.pulse.sent(at: now)
      state.backlog.append(EventFrame.heartbeat(at: state.cursor))
      return state.waker
    }
    waker?.wake()
  }

  // MARK: From any thread

  func end(_ reason: Ending) {
    let (isNew, waker) = state.withLock { state in
      guard state.ending == nil else { return (false, StreamWaker?.none) }
      state.ending = reason
      state.backlog.drop()
      state.backlog.append(EventFrame.goodbye(reason.rawValue))
      return (true, state.waker)
    }
    if isNew { feed.countEnding(reason) }
    waker?.wake()
  }

  /// Takes every event after the cursor from now on; called by the feed, under its lock.
  func goLive(past head: Int64) -> Bool {
    state.withLock { state in
      state.isLive = state.cursor.position >= head
      return state.isLive
    }
  }

  // MARK: On the loop's thread

  func begin(_ waker: StreamWaker) {
    state.withLock { $0.waker = waker }
    feed.add(self)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamReading {
    while true {
      let step = state.withLock { state -> Step in
        let count = state.backlog.fill(buffer)
        if count > 0 {
          state.pulse.sent(at: feed.ticks())
          return .answer(.bytes(count))
        }
        if state.ending != nil { return .answer(.end) }
        return state.isLive ? .answer(.wait) : .readOn(from: state.cursor)
      }
      switch step {
      case .answer(let reading): return reading
      case .readOn(let cursor):
        if let reading = readOn(from: cursor) { return reading }
      }
    }
  }

  private enum Step {
    case answer(StreamReading)
    case readOn(from: EventCursor)
  }

  /// Reads a page from the store, or joins those who are live.
  ///
  /// - Returns: `nil` when there may be something to send now.
  private func readOn(from cursor: EventCursor) -> StreamReading? {
    let page: EventPage
    do throws(Problem) {
      page = try feed.page(after: cursor)
    } catch {
      end(.storeUnavailable)
      return nil
    }
    guard page.floor <= cursor.position else {
      end(.expired)
      return nil
    }
    guard let last = page.events.last else {
      if !feed.goLive(self) { return pause() }
      return nil
    }
    let hasNews = state.withLock { state in
      for event in page.events where filter.admits(event) {
        state.backlog.append(EventFrame(event).bytes)
      }
      state.cursor = EventCursor(last.id)
      return !state.backlog.isEmpty
    }
    return hasNews ? nil : pause()
  }

  /// Lets the loop's other connections have their turn before the next page.
  private func pause() -> StreamReading {
    state.withLock { $0.waker }?.wake()
    return .wait
  }

  func finish(_ reason: StreamEnding) {
    switch reason {
    case .stopping: end(.stopping)
    case .stalled: end(.stalled)
    }
  }

  func ended() {
    feed.remove(self)
    release()
  }
}
