import AppStoreModel

/// How often a walk through pages had to begin anew since it last came to its end: a pure rule.
struct WalkRestarts: Hashable, Sendable {
  /// So many in a row, and a walk that was asked for is given up.
  static let most = 3
  private static let longestRest = TimeSpan.hours(1)

  private(set) var count = 0
  private(set) var restsUntil = Timestamp.distantPast

  var isHopeless: Bool { count >= Self.most }

  /// Counts one, and lets it rest: five seconds, then twice as long each time, at most an hour.
  mutating func add(at now: Timestamp) {
    let rest = TimeSpan(milliseconds: 5_000 << Int64(min(count, 10)))
    restsUntil = now.adding(min(rest, Self.longestRest))
    count += 1
  }
}
