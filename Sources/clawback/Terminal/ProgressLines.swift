/// When a line about long work is due where no terminal shows a bar: a pure rule.
///
/// After ten seconds of silence, and after two where another tenth is done: nobody waits in silence,
/// and work that is over in a moment says nothing.
struct ProgressLines: Hashable {
  private static let longestSilence = Duration.seconds(10)
  private static let leastPause = Duration.seconds(2)

  private var saidAt = Duration.zero
  private var tenths = 0

  /// Says whether a line is due; if so, it counts as said.
  ///
  /// - Parameters:
  ///   - done: How many steps are done.
  ///   - total: Of how many; zero when it is not known.
  ///   - elapsed: Since the work began.
  /// - Returns: Whether to say something now.
  mutating func isDue(_ done: Int, of total: Int, after elapsed: Duration) -> Bool {
    let tenths = total > 0 ? 10 * min(max(done, 0), total) / total : 0
    let silence = elapsed - saidAt
    guard silence >= Self.longestSilence || tenths > self.tenths && silence >= Self.leastPause
    else { return false }
    saidAt = elapsed
    self.tenths = tenths
    return true
  }
}
