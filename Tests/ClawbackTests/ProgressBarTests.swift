import Testing

@testable import clawback

struct ProgressBarTests {
  @Test(arguments: [
    (0, 200, "read [..............................] 0 % (0 of 200)"),
    (50, 200, "read [#######.......................] 25 % (50 of 200)"),
    (200, 200, "read [##############################] 100 % (200 of 200)"),
    (300, 200, "read [##############################] 100 % (200 of 200)"),
    (7, 0, "read 7"),
  ])
  func `a state is one line`(done: Int, total: Int, expected: String) {
    #expect(ProgressBar.line("read", done, of: total) == expected)
  }

  @Test func `a pipe sees nothing of short work, and lines without a bar of long work`() {
    let captured = CapturedConsole()
    let start = ContinuousClock.now
    var bar = ProgressBar("read", of: 200, on: captured.console(), from: start)
    bar.report(1, at: start + .milliseconds(1_999))
    #expect(captured.diagnostics == "")
    bar.report(50, "about 6 s left", at: start + .seconds(2))
    bar.report(51, at: start + .seconds(3))
    bar.report(51, of: 0, at: start + .seconds(12))
    bar.finish()
    #expect(captured.diagnostics == "read 25 % (50 of 200), about 6 s left\nread 51\n")
    #expect(captured.output == "")
  }

  /// Seconds of work, steps done of 200 (0: nobody knows of how many), and whether a line is due.
  @Test func `a line is due after ten seconds of silence, and after two for another tenth`() {
    let rows: [(seconds: Double, done: Int, total: Int, isDue: Bool)] = [
      (0, 0, 200, false), (1.9, 199, 200, false), (2, 19, 200, false), (3, 20, 200, true),
      (4, 60, 200, false), (5, 60, 200, true), (5.1, 79, 200, false), (14.9, 79, 200, false),
      (15, 79, 200, true), (24, 79, 0, false), (25, 79, 0, true), (26, 79, 400, false),
      (27.5, 300, 400, true), (37.4, 300, 400, false), (37.5, 300, 400, true),
      (600, 500, 400, true),
    ]
    var lines = ProgressLines()
    for row in rows {
      let isDue = lines.isDue(
        row.done, of: row.total, after: .milliseconds(Int64(row.seconds * 1_000)))
      #expect(isDue == row.isDue, "\(row)")
    }
  }

  @Test func `a terminal sees the bar, which leaves no trace`() {
    let captured = CapturedConsole()
    var bar = ProgressBar("read", of: 2, on: captured.console(isWatched: true), every: .zero)
    bar.report(1)
    bar.report(2)
    bar.finish()
    let states = captured.diagnostics.split(separator: "\r")
    #expect(states.count == 3)
    #expect(states.last == "\u{1B}[K")
    #expect(captured.output == "")
  }

  @Test func `drawing is rarer than reporting`() {
    let captured = CapturedConsole()
    var bar = ProgressBar(
      "read", of: 9, on: captured.console(isWatched: true), every: .seconds(3600))
    for done in 1...9 { bar.report(done) }
    #expect(captured.diagnostics.split(separator: "\r").count == 1)
    bar.finish()
  }
}
