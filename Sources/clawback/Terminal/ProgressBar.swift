/// Shows how far long work has come: a bar on a terminal, and a line now and then elsewhere.
struct ProgressBar: ~Copyable {
  private static let cells = 30

  private let label: String
  private let total: Int
  private let console: Console
  private let pause: Duration
  private let start: ContinuousClock.Instant
  private var lastDrawn: ContinuousClock.Instant?
  private var lines = ProgressLines()

  /// A bar that is drawn at the first report.
  ///
  /// - Parameters:
  ///   - label: what is being done, one or two words.
  ///   - total: the number of steps; zero when it is not known beforehand.
  ///   - console: where to draw.
  ///   - pause: the least time between two drawings.
  ///   - start: when the work began.
  init(
    _ label: String, of total: Int = 0, on console: Console,
    every pause: Duration = .milliseconds(100), from start: ContinuousClock.Instant = .now
  ) {
    self.label = label
    self.total = total
    self.console = console
    self.pause = pause
    self.start = start
  }

  /// Reports how many steps are done.
  ///
  /// - Parameters:
  ///   - done: The steps.
  ///   - total: Of how many, where that has changed.
  ///   - more: What else to say, after a comma.
  ///   - now: The moment of the report.
  mutating func report(
    _ done: Int, of total: Int? = nil, _ more: String? = nil,
    at now: ContinuousClock.Instant = .now
  ) {
    let total = total ?? self.total
    let rest = more.map { ", " + $0 } ?? ""
    guard console.isWatched else {
      guard lines.isDue(done, of: total, after: now - start) else { return }
      return console.note(Self.text(label, done, of: total) + rest)
    }
    if let lastDrawn, now - lastDrawn < pause { return }
    lastDrawn = now
    console.draw("\r" + Self.line(label, done, of: total) + rest + "\u{1B}[K")
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
    return "\(label) [\(bar)] \(share(done, of: total))"
  }

  /// One state without the drawing.
  static func text(_ label: String, _ done: Int, of total: Int) -> String {
    total > 0 ? "\(label) \(share(min(max(done, 0), total), of: total))" : "\(label) \(done)"
  }

  private static func share(_ done: Int, of total: Int) -> String {
    "\(100 * done / total) % (\(done) of \(total))"
  }
}
