import AppStoreModel
import AppStoreVerification
import Synchronization

/// Lets calls through when their turn has come: one budget for all who ask for one app.
final class CallBudget: Sendable {
  struct Key: Hashable, Sendable {
    let endpoint: Endpoint
    let environment: ServerEnvironment
  }

  private typealias Turn = CheckedContinuation<Result<Void, AppStoreServerError>, Never>

  private struct State {
    var lanes: [Key: CallLane] = [:]
    var turns: [CallLane.Ticket: Turn] = [:]
    /// Cancelled before they joined their lane.
    var cancelled: Set<CallLane.Ticket> = []
    var lastTicket: CallLane.Ticket = 0
    var alarms: [Key: Timestamp] = [:]
  }

  private let state = Mutex(State())
  private let limits: RateLimits
  private let clock: APIClock
  private let mostRunning: Int
  private let mostWaiting: Int

  init(_ limits: RateLimits, _ clock: APIClock, mostRunning: Int, mostWaiting: Int) {
    self.limits = limits
    self.clock = clock
    self.mostRunning = mostRunning
    self.mostWaiting = mostWaiting
  }

  /// Waits for a turn; every turn must be given back with ``finish(_:)``.
  func waitForTurn(
    _ key: Key, _ urgency: Urgency, deadline: Timestamp
  ) async throws(AppStoreServerError) {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        join(ticket, key, urgency, deadline, turn)
      }
    } onCancel: {
      cancel(ticket, key)
    }
    state.withLock { _ = $0.cancelled.remove(ticket) }
    try result.get()
  }

  func finish(_ key: Key) {
    state.withLock { $0.lanes[key]?.finish() }
    advance(key)
  }

  func pause(_ key: Key, until moment: Timestamp) {
    state.withLock { $0.lanes[key]?.pause(until: moment) }
    advance(key)
  }

  func load(_ key: Key) -> EndpointLoad {
    let now = clock.now()
    return state.withLock { state in lane(key, &state, now).load(now) }
  }

  private func join(
    _ ticket: CallLane.Ticket, _ key: Key, _ urgency: Urgency, _ deadline: Timestamp,
    _ turn: Turn
  ) {
    let now = clock.now()
    let error: AppStoreServerError? = state.withLock { state in
      guard !state.cancelled.contains(ticket) else { return .cancelled }
      var lane = lane(key, &state, now)
      do throws(AppStoreServerError) {
        try lane.join(ticket, urgency, deadline: deadline)
      } catch {
        return error
      }
      state.lanes[key] = lane
      state.turns[ticket] = turn
      return nil
    }
    if let error { turn.resume(returning: .failure(error)) } else { advance(key) }
  }

  private func cancel(_ ticket: CallLane.Ticket, _ key: Key) {
    let turn = state.withLock { state in
      state.lanes[key]?.leave(ticket)
      let turn = state.turns.removeValue(forKey: ticket)
      if turn == nil { state.cancelled.insert(ticket) }
      return turn
    }
    turn?.resume(returning: .failure(.cancelled))
  }

  private func advance(_ key: Key) {
    let now = clock.now()
    let (due, alarm) = state.withLock { state in
      guard let step = state.lanes[key]?.advance(now) else {
        return ([(Turn, Result<Void, AppStoreServerError>)](), Timestamp?.none)
      }
      var due: [(Turn, Result<Void, AppStoreServerError>)] = []
      for ticket in step.admitted {
        if let turn = state.turns.removeValue(forKey: ticket) { due.append((turn, .success(()))) }
      }
      for (ticket, error) in step.expired {
        if let turn = state.turns.removeValue(forKey: ticket) {
          due.append((turn, .failure(error)))
        }
      }
      return (due, newAlarm(step.wake, key, &state))
    }
    for (turn, result) in due { turn.resume(returning: result) }
    if let alarm { set(alarm, key) }
  }

  /// The alarm to set, if none that is set rings as early.
  private func newAlarm(_ wake: Timestamp?, _ key: Key, _ state: inout State) -> Timestamp? {
    guard let wake, wake < state.alarms[key] ?? .distantFuture else { return nil }
    state.alarms[key] = wake
    return wake
  }

  private func set(_ alarm: Timestamp, _ key: Key) {
    Task.detached { [weak self, clock] in
      await clock.sleep(alarm)
      guard let self else { return }
      self.state.withLock { state in
        if state.alarms[key] == alarm { state.alarms[key] = nil }
      }
      self.advance(key)
    }
  }

  private func lane(_ key: Key, _ state: inout State, _ now: Timestamp) -> CallLane {
    state.lanes[key]
      ?? CallLane(
        limits.limit(key.endpoint, in: key.environment), now: now, mostRunning: mostRunning,
        mostWaiting: mostWaiting)
  }
}
