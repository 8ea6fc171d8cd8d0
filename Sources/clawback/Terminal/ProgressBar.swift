/// Shows on a terminal how far long work has come, and nothing in a pipe.
struct ProgressBar: ~Copyable {
  private static let cells = 30

  private let label: String
  private let total: Int
  private let console: Console
  private let pause: Duration
  private var lastDrawn: ContinuousClock.Instant?

  /// A bar that is drawn at the first report.
  ///
  /// - Parameters:
  ///   - label: what is being done, one or two words.
  ///   - total: the number of steps; zero when it is not known.
  ///   - console: where to draw.
  ///   - pause: the least time between two drawings.
  init(
    _ label: String, of total: Int, on console: Console, every pause: Duration = .milliseconds(100)
  ) {
    self.label = label
    self.total = total
    self.console = console
    self.pause = pause
  }

  /// Reports how many steps are done.
  mutating func report(_ done: Int) {
    guard console.isWatched else { return }
    let now = ContinuousClock.now
    if let lastDrawn, now - lastDrawn < pause { return }
    lastDrawn = now
    console.draw("\r" + Self.line(label, done, of: total) + "\u{1B}[K")
  }

  /// Takes the bar off the screen.
  consuming func finish() {
    if lastDrawn != nil { console.draw("\r\u{1B}[K") }
  }

  /// One state of the bar as text.
  static func line(_ label: String, _ done: Int, of total: Int) -> String {
    guard total > 0 else { return "\(label) \(done)" }
    let done = min(max(done, 0), total)
    let filled = cells * done / total
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled)
    return "\(label) [\(bar)] \(100 * done / total) % (\(done) of \(total))"
  }
}
