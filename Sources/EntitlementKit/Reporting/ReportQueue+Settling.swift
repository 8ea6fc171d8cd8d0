package import AppStoreModel

extension ReportQueue {
  /// What became of a batch.
  package enum Outcome: Hashable, Sendable {
    /// The server has it.
    case taken
    /// The server has it but for these, by their place in the request, each with its reason.
    case takenExcept([Int: String])
    /// It will never take it in this form: each half is tried by itself, down to a single text, which
    /// is held back.
    case refused(ReportingProblem)
    /// It could not be reached, or asked to wait.
    case failed(retryAfter: TimeSpan?)
    /// Something stands between the app and the server that somebody has to mend.
    case troubled(ReportingProblem)
  }

  /// Notes what became of a batch.
  ///
  /// - Returns: How long to wait before the next; `nil` for no wait.
  package mutating func settle(_ batch: [Text], _ outcome: Outcome) -> TimeSpan? {
    switch outcome {
    case .taken: return settle(batch, refused: [:])
    case .takenExcept(let reasons): return settle(batch, refused: reasons)
    case .refused where batch.count > 1:
      batchLength = batch.count / 2
      return nil
    case .refused(let reason): return settle(alone: batch, reason)
    case .failed(let retryAfter):
      failures += 1
      return max(retryAfter ?? .zero, Self.backOff(failures))
    case .troubled(let reason):
      failures += 1
      problem = reason
      return reason.isTransient ? Self.backOff(failures) : Self.longBackOff(failures)
    }
  }

  /// What the server answered for each text: those that it only has no time for stay in their place.
  private mutating func settle(_ batch: [Text], refused reasons: [Int: String]) -> TimeSpan? {
    let places = Self.inOrder(batch).enumerated()
    let isLate = reasons.values.contains(where: Self.passing.contains)
    remove(places.filter { reasons[$0.offset] == nil }.map(\.element))
    for (place, text) in places {
      if let reason = reasons[place], !Self.passing.contains(reason) {
        hold(text, Self.problem(of: reason))
      }
    }
    batchLength = min(Self.greatestBatch, batchLength * 2)
    refusals = 0
    problem = held.isEmpty ? nil : reasonOfHeld
    failures = isLate ? failures + 1 : 0
    return isLate ? Self.backOff(failures) : nil
  }

  /// A few in a row may be bad texts; more are a limit or a fault on the way, which passes no others.
  private mutating func settle(alone batch: [Text], _ reason: ReportingProblem) -> TimeSpan? {
    for text in batch { hold(text, reason) }
    problem = reasonOfHeld
    failures = 0
    refusals += 1
    return refusals <= 3 ? nil : Self.longBackOff(refusals - 3)
  }

  /// Keeps a text for the next launch, when another version of the app or of the server may take it.
  private mutating func hold(_ text: Text, _ reason: ReportingProblem) {
    texts.removeAll { $0 == text }
    held.append(text)
    if reasonOfHeld?.isOfKey != true { reasonOfHeld = reason }
  }

  private mutating func remove(_ done: [Text]) {
    let done = Set(done)
    texts.removeAll(where: done.contains)
    known.subtract(done)
  }

  /// Source: the codes of the server's errors that say nothing of the text.
  private static let passing: Set<String> = [
    "rateLimited", "overloaded", "storeUnavailable", "internalError",
  ]

  /// Source: the codes of the server's errors that say something of the key.
  private static let ofKey: Set<String> = ["appForbidden", "environmentForbidden", "scopeMissing"]

  private static func problem(of reason: String) -> ReportingProblem {
    ofKey.contains(reason) ? .keyRefused(reason) : .textRefused(reason)
  }

  /// Two seconds, doubled with each failure, an hour at most.
  package static func backOff(_ failures: Int) -> TimeSpan {
    min(.hours(1), .seconds(1 << Int64(min(max(failures, 1), 12))))
  }

  /// A minute, four times as long with each failure, a day at most: what only another version of the
  /// app mends need not be asked often, and what a server's deployment broke for a moment passes soon.
  package static func longBackOff(_ failures: Int) -> TimeSpan {
    min(.days(1), .minutes(1 << Int64(2 * min(max(failures - 1, 0), 6))))
  }
}

extension ReportingProblem {
  fileprivate var isOfKey: Bool {
    if case .keyRefused = self { true } else { false }
  }
}
