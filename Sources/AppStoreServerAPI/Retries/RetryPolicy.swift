import AppStoreModel

/// How often a call is repeated, and how long it rests before.
struct RetryPolicy: Hashable, Sendable {
  var mostAttempts = 5
  var firstDelay = TimeSpan(milliseconds: 500)
  var greatestDelay = TimeSpan.seconds(30)

  /// How long to rest after so many attempts: twice as long each time, of which chance takes off up
  /// to a half, so that many workers do not come back together.
  func delay(
    afterAttempts attempts: Int, using chance: inout any RandomNumberGenerator & Sendable
  ) -> TimeSpan {
    let doubled = firstDelay.milliseconds << Int64(min(max(attempts - 1, 0), 20))
    let whole = min(doubled, greatestDelay.milliseconds)
    return TimeSpan(milliseconds: Int64.random(in: (whole / 2)...whole, using: &chance))
  }
}
