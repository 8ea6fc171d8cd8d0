import AppStoreModel
import LedgerStorage

/// Decides what is sent next to every destination, and what follows from each answer; used by one
/// thread alone, which brings time, network and writing.
final class DeliveryDesk {
  /// One attempt that is under way.
  struct Attempt: Hashable, Sendable {
    let destination: Int64
    let track: Int64
    let start: DeliveryQueue.Start
    let startedAt: Timestamp
  }

  /// What became of an attempt, for counters and the log.
  struct Report: Sendable {
    let destination: Destination
    let result: DeliveryAttempt.Result
    let answer: DispatchAnswer
    /// Whether the destination was disabled for it.
    let isDisabling: Bool
    /// Whether it is the first failure after a success.
    let isFirstFailure: Bool
  }

  /// How much is read at once.
  private static let batch = 64

  private let reader: LedgerReader
  private let rules: DeliveryRules
  private let bodies: DeliveryBodies
  private(set) var outlets: [Outlet] = []
  /// Whether reading stopped before the end because there was so much.
  private(set) var hasMore = false

  init(_ reader: LedgerReader, _ rules: DeliveryRules) {
    self.reader = reader
    self.rules = rules
    bodies = DeliveryBodies(reader)
  }

  /// Takes in who is to be sent to, as the store has it: only while it has been told everything.
  ///
  /// - Returns: Those that somebody else disabled or woke.
  @discardableResult
  func reload(at now: Timestamp) throws(StoreError) -> [Destination] {
    let (destinations, tracks) = try reader.read { (recorder) throws(StoreError) in
      (try recorder.destinations(), try recorder.deliveryTracks())
    }
    var loaded: [Outlet] = []
    var changed: [Destination] = []
    for destination in destinations {
      let own = tracks.filter { $0.destinationID == destination.id }
      let secrets = try reader.read { (recorder) throws(StoreError) in
        try recorder.secrets(of: destination, at: now)
      }
      let known = outlets.first { $0.destination.id == destination.id }
      let isEnabled = destination.disabledAt == nil
      if let known, known.isEnabled != isEnabled { changed.append(destination) }
      // What is under way at one that was disabled meanwhile is still answered; one that was woken
      // begins anew, by what the store has.
      let keeps = known.map { $0.isEnabled || !isEnabled } ?? false
      var outlet = Outlet(destination, secrets, keeps ? known?.queues ?? [] : [])
      if keeps, let known { outlet.underWay = known.underWay }
      for track in own where !outlet.queues.contains(where: { $0.track == track.id }) {
        let lanes = try reader.read { (recorder) throws(StoreError) in
          try recorder.deliveryLanes(of: track.id)
        }
        outlet.queues.append(DeliveryQueue(track, lanes: lanes))
      }
      outlet.queues.sort { ($0.end ?? 0, $0.track) < ($1.end ?? 0, $1.track) }
      loaded.append(outlet)
    }
    outlets = loaded
    return changed
  }

  /// Reads what is new and begins what may begin: `send` sends, and is answered with
  /// ``finish(_:_:at:)``.
  func turn(
    at now: Timestamp, send: (Attempt, Dispatch) -> Void
  ) throws(StoreError) {
    hasMore = false
    let (stopped, last) = try standing()
    for place in outlets.indices {
      let destination = outlets[place].destination
      if outlets[place].isEnabled, !stopped.contains(destination.id) {
        try serve(place, upTo: last[destination.kind] ?? 0, at: now, send)
      } else {
        advance(place)
      }
    }
  }

  /// Who is sent nothing, and how far there is something to send: of one moment, so that nothing that
  /// was committed with or after an endpoint's end is ever begun there.
  private func standing() throws(StoreError) -> (
    stopped: Set<Int64>, last: [Destination.Kind: Int64]
  ) {
    let kinds = Set(outlets.filter(\.isEnabled).map(\.destination.kind))
    guard !kinds.isEmpty else { return ([], [:]) }
    return try reader.read { (recorder) throws(StoreError) in
      var last: [Destination.Kind: Int64] = [:]
      for kind in kinds { last[kind] = try recorder.lastOutgoing(kind) }
      return (try recorder.disabledDestinations(), last)
    }
  }

  private func serve(
    _ place: Int, upTo last: Int64, at now: Timestamp, _ send: (Attempt, Dispatch) -> Void
  ) throws(StoreError) {
    for number in outlets[place].queues.indices {
      try fill(place, number, upTo: min(outlets[place].queues[number].end ?? last, last))
      let starts = outlets[place].queues[number].start(outlets[place].room(rules), at: now)
      for start in starts { try begin(start, place, number, at: now, send) }
    }
    advance(place)
    for queue in outlets[place].queues where queue.isFinished {
      outlets[place].steps.append(.finish(track: queue.track))
    }
    outlets[place].queues.removeAll(where: \.isFinished)
  }

  private func advance(_ place: Int) {
    for number in outlets[place].queues.indices {
      if let step = outlets[place].queues[number].advance() { outlets[place].steps.append(step) }
    }
  }

  private func fill(_ place: Int, _ number: Int, upTo last: Int64) throws(StoreError) {
    let kind = outlets[place].destination.kind
    for _ in 0..<16 {
      let queue = outlets[place].queues[number]
      guard queue.readTo < last, queue.room > 0, outlets[place].mayRead(rules) else { return }
      let items = try reader.read { (recorder) throws(StoreError) in
        try recorder.outgoing(kind, after: queue.readTo, through: last, limit: Self.batch)
      }
      let end = items.count < Self.batch ? last : items.last?.position ?? last
      outlets[place].queues[number].take(items.filter(outlets[place].wants), upTo: end)
    }
    hasMore = true
  }

  private func begin(
    _ start: DeliveryQueue.Start, _ place: Int, _ number: Int, at now: Timestamp,
    _ send: (Attempt, Dispatch) -> Void
  ) throws(StoreError) {
    let outlet = outlets[place]
    let attempt = Attempt(
      destination: outlet.destination.id, track: outlet.queues[number].track, start: start,
      startedAt: now)
    outlets[place].underWay += 1
    let content: DeliveryBodies.Content?
    do throws(StoreError) {
      content = try bodies.content(for: outlet.destination, start.position)
    } catch {
      outlets[place].underWay -= 1
      outlets[place].queues[number].giveBack(start)
      throw error
    }
    guard let content else {
      // It is gone from the store: there is nothing to deliver any more.
      return _ = conclude(attempt, .delivered, at: now)
    }
    do throws(TargetURL.Refusal) {
      let target = try rules.target(outlet.destination.url)
      send(attempt, content.dispatch(to: target, outlet.secretBytes(at: now), at: now))
    } catch {
      _ = finish(attempt, DispatchAnswer(failure: .refusedURL), at: now)
    }
  }

  /// Takes an answer.
  ///
  /// - Returns: What it means; `nil` where the destination is gone.
  @discardableResult
  func finish(_ attempt: Attempt, _ answer: DispatchAnswer, at now: Timestamp) -> Report? {
    guard let place = outlets.firstIndex(where: { $0.destination.id == attempt.destination })
    else { return nil }
    let wasFailing = outlets[place].failingSince != nil
    let wasEnabled = outlets[place].isEnabled
    let verdict = self.verdict(attempt, answer, at: now)
    outlets[place].note(answer, at: now, rules)
    let result = verdict.result
    outlets[place].steps.append(
      .log(
        destination: attempt.destination,
        DeliveryAttempt(
          position: attempt.start.position, attempt: attempt.start.attempt, result: result,
          status: answer.status, failure: answer.failure?.rawValue,
          startedAt: attempt.startedAt, took: answer.took)))
    _ = conclude(attempt, verdict, at: now)
    return Report(
      destination: outlets[place].destination, result: result, answer: answer,
      isDisabling: wasEnabled && !outlets[place].isEnabled,
      isFirstFailure: !wasFailing && result != .delivered)
  }

  private func verdict(
    _ attempt: Attempt, _ answer: DispatchAnswer, at now: Timestamp
  ) -> DeliveryQueue.Verdict {
    if answer.isSuccess { return .delivered }
    let next = rules.schedule.next(
      afterAttempts: attempt.start.attempt, now: now, asked: answer.wait(at: now),
      chance: rules.chance())
    if let next { return .failed(next: next) }
    return .dead(
      DeadLetter(
        position: attempt.start.position, attempts: attempt.start.attempt, status: answer.status,
        failure: answer.failure?.rawValue, diedAt: now))
  }

  private func conclude(
    _ attempt: Attempt, _ verdict: DeliveryQueue.Verdict, at now: Timestamp
  ) -> Bool {
    guard let place = outlets.firstIndex(where: { $0.destination.id == attempt.destination })
    else { return false }
    outlets[place].underWay = max(0, outlets[place].underWay - 1)
    guard
      let number = outlets[place].queues.firstIndex(where: { $0.track == attempt.track })
    else { return false }
    let outlet = outlets[place]
    let isOfDeadLetters = outlet.queues[number].isOfDeadLetters
    let steps = outlets[place].queues[number].finish(attempt.start, verdict, at: now) {
      (customer, position, end) throws(StoreError) in
      isOfDeadLetters
        ? try nextDead(ofCustomer: customer, after: position, through: end, outlet)
        : try next(ofCustomer: customer, after: position, through: end, outlet)
    }
    outlets[place].steps += steps
    if outlet.queues[number].end != nil, verdict == .delivered {
      outlets[place].steps.append(
        .exhume(destination: attempt.destination, position: attempt.start.position))
    }
    return true
  }

  /// The customer's next item that the destination wants.
  private func next(
    ofCustomer customer: Int64, after position: Int64, through end: Int64, _ outlet: Outlet
  ) throws(StoreError) -> Int64? {
    var position = position
    while position < end {
      let items = try reader.read { (recorder) throws(StoreError) in
        try recorder.outgoing(
          ofCustomer: customer, after: position, through: end, limit: Self.batch)
      }
      guard let last = items.last else { return nil }
      if let wanted = items.first(where: outlet.wants) { return wanted.position }
      position = last.position
    }
    return nil
  }

  private func nextDead(
    ofCustomer customer: Int64, after position: Int64, through end: Int64, _ outlet: Outlet
  ) throws(StoreError) -> Int64? {
    try reader.read { (recorder) throws(StoreError) in
      try recorder.deadEvent(
        of: outlet.destination.id, ofCustomer: customer, after: position, through: end)
    }
  }

  /// What a test sends to an endpoint; `nil` where there is none of that name.
  func test(
    _ name: String, at now: Timestamp
  ) -> (destination: Int64, dispatch: Result<Dispatch, TargetURL.Refusal>)? {
    guard let outlet = outlets.first(where: { $0.destination.name == name }) else { return nil }
    let content = DeliveryBodies.Content.ping(of: outlet.destination, at: now)
    let dispatch = Result { () throws(TargetURL.Refusal) in
      content.dispatch(
        to: try rules.target(outlet.destination.url), outlet.secretBytes(at: now), at: now)
    }
    return (outlet.destination.id, dispatch)
  }

  /// Remembers how a test went; it counts for nothing else.
  func logTest(of destination: Int64, _ answer: DispatchAnswer, startedAt: Timestamp) {
    guard let place = outlets.firstIndex(where: { $0.destination.id == destination }) else {
      return
    }
    outlets[place].steps.append(
      .log(
        destination: destination,
        DeliveryAttempt(
          position: nil, attempt: 1, result: answer.isSuccess ? .delivered : .failed,
          status: answer.status, failure: answer.failure?.rawValue, startedAt: startedAt,
          took: answer.took)))
  }

  /// What the store has not been told, which is taken to be told from now on.
  func takeSteps() -> [Destination.Kind: [DeliveryStep]] {
    var taken: [Destination.Kind: [DeliveryStep]] = [:]
    for place in outlets.indices where !outlets[place].steps.isEmpty {
      taken[outlets[place].destination.kind, default: []] += outlets[place].steps
      outlets[place].steps = []
    }
    return taken
  }

  /// Forgets everything that was under way, to be begun again from what the store has.
  func startOver(at now: Timestamp) throws(StoreError) {
    outlets = []
    try reload(at: now)
  }

  /// When something that waits is due.
  var nextDue: Timestamp? {
    outlets.filter(\.isEnabled).flatMap(\.queues).compactMap(\.nextDue).min()
  }

  func statuses() throws(StoreError) -> [OutletStatus] {
    try outlets.map { (outlet) throws(StoreError) in
      let last = try reader.read { (recorder) throws(StoreError) in
        try recorder.lastOutgoing(outlet.destination.kind)
      }
      let live = outlet.queues.first { $0.end == nil }
      return OutletStatus(
        destination: outlet.destination, failingSince: outlet.failingSince,
        behind: live.map { max(0, last - $0.reached) } ?? 0, held: outlet.heldCount,
        underWay: outlet.underWay, repetitions: outlet.queues.count { $0.end != nil })
    }
  }
}

extension Outlet {
  fileprivate func secretBytes(at now: Timestamp) -> [[UInt8]] {
    secrets.filter { $0.endsAt.map { now < $0 } ?? true }.map(\.bytes)
  }
}

extension DeliveryQueue.Verdict {
  fileprivate var result: DeliveryAttempt.Result {
    switch self {
    case .delivered: .delivered
    case .failed: .failed
    case .dead: .dead
    }
  }
}
