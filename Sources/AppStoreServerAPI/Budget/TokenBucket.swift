import AppStoreModel

/// A store of calls that fills evenly and is emptied by calling.
///
/// Counts exactly: a call weighs the milliseconds of an hour, and each millisecond brings the calls of
/// an hour. A clock that jumps back brings nothing, one that jumps ahead fills the store at most.
struct TokenBucket: Hashable, Sendable {
  private static let call: Int64 = 3_600_000

  private let limit: HourlyLimit
  private var level: Int64
  private var filledAt: Timestamp

  /// A full store.
  init(_ limit: HourlyLimit, now: Timestamp) {
    self.limit = limit
    level = limit.burst * Self.call
    filledAt = now
  }

  /// Takes one call, if the store holds it and besides a share that others need more.
  mutating func take(keeping reserve: Int64, now: Timestamp) -> Bool {
    fill(now)
    guard level >= (1 + reserve) * Self.call else { return false }
    level -= Self.call
    return true
  }

  /// When the store holds a call besides that share.
  func readyAt(keeping reserve: Int64, now: Timestamp) -> Timestamp {
    var copy = self
    copy.fill(now)
    let missing = (1 + reserve) * Self.call - copy.level
    guard missing > 0 else { return now }
    return now.adding(TimeSpan(milliseconds: (missing + limit.refill - 1) / limit.refill))
  }

  /// The whole calls that could be made now.
  func available(now: Timestamp) -> Int64 {
    var copy = self
    copy.fill(now)
    return copy.level / Self.call
  }

  /// What long walks leave to the others.
  var reserve: Int64 { limit.burst / 5 }

  private mutating func fill(_ now: Timestamp) {
    defer { filledAt = now }
    guard now > filledAt else { return }
    let full = limit.burst * Self.call
    let (elapsed, tooLong) = now.millisecondsSince1970.subtractingReportingOverflow(
      filledAt.millisecondsSince1970)
    let (gain, tooMuch) = elapsed.multipliedReportingOverflow(by: limit.refill)
    level = tooLong || tooMuch || gain >= full - level ? full : level + gain
  }
}
