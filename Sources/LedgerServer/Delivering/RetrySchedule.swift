import AppStoreModel

/// When a failed delivery is tried again, and when no more.
///
/// Each wait is lengthened or shortened by up to a fifth, by chance, so that what failed together does
/// not come back together.
struct RetrySchedule: Hashable, Sendable {
  /// Eleven attempts in about 69 hours: a revocation should not wait long for a receiver that restarts,
  /// and a weekend's outage should lose nothing.
  static let standard = RetrySchedule(waits: [
    .seconds(5), .seconds(30), .minutes(2), .minutes(10), .minutes(30), .hours(2), .hours(6),
    .hours(12), .hours(24), .hours(24),
  ])

  /// The longest wait that a receiver may ask for.
  static let longestAskedFor = TimeSpan.hours(24)

  /// The wait after each failed attempt; after the last there is none.
  let waits: [TimeSpan]

  /// How often it is tried in all.
  var attempts: Int { waits.count + 1 }

  /// The moment of the next attempt.
  ///
  /// - Parameters:
  ///   - attempts: How many have failed, at least 1.
  ///   - now: When the last of them ended.
  ///   - asked: The wait that the receiver asked for.
  ///   - chance: From 0 to 1,000, evenly.
  /// - Returns: `nil` when the last attempt has been made.
  func next(
    afterAttempts attempts: Int, now: Timestamp, asked: TimeSpan? = nil, chance: Int64
  ) -> Timestamp? {
    guard attempts >= 1, attempts <= waits.count else { return nil }
    let wait = waits[attempts - 1].milliseconds
    // From 800 to 1,200 thousandths, rounded down.
    let jittered = TimeSpan(milliseconds: wait * (800 + chance * 400 / 1_000) / 1_000)
    return now.adding(max(jittered, min(asked ?? .zero, Self.longestAskedFor)))
  }
}
