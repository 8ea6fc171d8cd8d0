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

  @Test func `a pipe sees nothing`() {
    let captured = CapturedConsole()
    var bar = ProgressBar("read", of: 2, on: captured.console())
    bar.report(1)
    bar.finish()
    #expect(captured.diagnostics == "")
    #expect(captured.output == "")
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
