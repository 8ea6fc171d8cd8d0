import AppStoreModel

/// The queue before one endpoint of one app in one environment: who goes next, and when.
///
/// Urgent calls go before all others and within the same urgency the first comes first. Time is an
/// argument: the lane keeps no clock.
struct CallLane: Sendable {
  typealias Ticket = UInt64

  private struct Waiter {
    let ticket: Ticket
    let deadline: Timestamp
  }

  /// What happened at a moment.
  struct Step {
    var admitted: [Ticket] = []
    /// Those whose patience ends before their turn can come.
    var expired: [(ticket: Ticket, error: AppStoreServerError)] = []
    /// When to look again; `nil` when only a new call or an end changes anything.
    var wake: Timestamp?
  }

  private var bucket: TokenBucket
  private var waiting: [[Waiter]] = Urgency.allCases.map { _ in [] }
  private var pausedUntil: Timestamp?
  private var running = 0
  private let mostRunning: Int
  private let mostWaiting: Int

  init(_ limit: HourlyLimit, now: Timestamp, mostRunning: Int, mostWaiting: Int) {
    bucket = TokenBucket(limit, now: now)
    self.mostRunning = mostRunning
    self.mostWaiting = mostWaiting
  }

  mutating func join(
    _ ticket: Ticket, _ urgency: Urgency, deadline: Timestamp
  ) throws(AppStoreServerError) {
    guard waitingCount < mostWaiting else { throw .queueFull }
    waiting[urgency.rawValue].append(Waiter(ticket: ticket, deadline: deadline))
  }

  mutating func leave(_ ticket: Ticket) {
    for urgency in waiting.indices { waiting[urgency].removeAll { $0.ticket == ticket } }
  }

  /// One that was admitted has its answer.
  mutating func finish() {
    precondition(running > 0, "only a call that was admitted can finish")
    running -= 1
  }

  /// Nobody goes before that moment; the later of two pauses counts.
  mutating func pause(until moment: Timestamp) {
    pausedUntil = max(pausedUntil ?? moment, moment)
  }

  mutating func advance(_ now: Timestamp) -> Step {
    if let pause = pausedUntil, pause <= now { pausedUntil = nil }
    var step = Step()
    admit(now, &step)
    expire(now, &step)
    step.wake = wake(now)
    return step
  }

  func load(_ now: Timestamp) -> EndpointLoad {
    EndpointLoad(
      waiting: waitingCount, running: running, available: bucket.available(now: now),
      pausedUntil: pausedUntil.flatMap { $0 > now ? $0 : nil })
  }

  private var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

  private mutating func admit(_ now: Timestamp, _ step: inout Step) {
    guard pausedUntil == nil else { return }
    while running < mostRunning, let urgency = firstUrgency,
      bucket.take(keeping: reserve(urgency), now: now)
    {
      running += 1
      step.admitted.append(waiting[urgency].removeFirst().ticket)
    }
  }

  private mutating func expire(_ now: Timestamp, _ step: inout Step) {
    for urgency in waiting.indices {
      let turn = pausedUntil ?? bucket.readyAt(keeping: reserve(urgency), now: now)
      let isHopeless = { (waiter: Waiter) in waiter.deadline <= now || waiter.deadline < turn }
      let error: AppStoreServerError =
        pausedUntil.map { .rateLimited(until: $0) } ?? .budgetSpent(until: turn)
      step.expired += waiting[urgency].filter(isHopeless).map { ($0.ticket, error) }
      waiting[urgency].removeAll(where: isHopeless)
    }
  }

  private func wake(_ now: Timestamp) -> Timestamp? {
    guard let urgency = firstUrgency else { return nil }
    let deadline = waiting.joined().map(\.deadline).min() ?? .distantFuture
    guard running < mostRunning else { return deadline }
    let turn = pausedUntil ?? bucket.readyAt(keeping: reserve(urgency), now: now)
    return min(turn, deadline)
  }

  private var firstUrgency: Int? { waiting.firstIndex { !$0.isEmpty } }

  private func reserve(_ urgency: Int) -> Int64 {
    urgency == Urgency.background.rawValue ? bucket.reserve : 0
  }
}
