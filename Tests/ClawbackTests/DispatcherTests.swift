import Testing

@testable import clawback

struct DispatcherTests {
  private struct Unlucky: Command {
    struct Mishap: Error, CustomStringConvertible { let description = "The ladder fell." }

    let usage = Usage(
      "climb", "Climb up.", example: "clawback climb", exitCodes: [(.success, "Up.")])

    func run(_ arguments: Arguments, on console: Console) throws -> ExitCode { throw Mishap() }
  }

  private static let dispatcher = Dispatcher(commands: [
    PaintCommand(), KeyCommand(verb: "cut"), KeyCommand(verb: "copy"), Unlucky(),
  ])

  private func run(_ line: String) -> (code: Int32, output: String, diagnostics: String) {
    let captured = CapturedConsole()
    let words = line.split(separator: " ").map(String.init)
    let code = Self.dispatcher.run(words, on: captured.console())
    return (code.rawValue, captured.output, captured.diagnostics)
  }

  @Test func `a command of two words is found by both`() {
    #expect(run("ring cut brass").output == "cut brass\n")
    #expect(run("ring copy").output == "copy none\n")
  }

  @Test func `a result for programs is one line with sorted members`() {
    let expected = #"{"name":"none","path":"a/b","verb":"cut"}"# + "\n"
    #expect(run("ring cut --json").output == expected)
  }

  @Test(arguments: [
    ("pant", "There is no command 'pant'. Did you mean 'paint'?"),
    ("sculpt", "There is no command 'sculpt'."),
    ("ring cpoy", "There is no command 'ring cpoy'. Did you mean 'ring copy'?"),
    ("--verison", "There is no command '--verison'."),
  ])
  func `an unknown command is refused with the closest known one`(line: String, text: String) {
    let result = run(line)
    #expect(result.diagnostics == "clawback: \(text)\n'clawback --help' lists what there is.\n")
    #expect(result.code == 2)
  }

  @Test func `without a command the overview is a diagnostic, with --help it is the result`() {
    let bare = run("")
    let asked = run("--help")
    #expect(bare.code == 2)
    #expect(bare.output == "")
    #expect(asked.code == 0)
    #expect(asked.diagnostics == "")
    #expect(bare.diagnostics == asked.output)
    #expect(run("help").output == asked.output)
  }

  @Test func `a family lists its members`() {
    let asked = run("ring --help")
    #expect(asked.code == 0)
    #expect(asked.output.contains("Usage: clawback ring COMMAND"))
    #expect(asked.output.contains("\n  cut "))
    #expect(!asked.output.contains("paint"))
    #expect(run("ring").code == 2)
    #expect(run("ring").diagnostics == asked.output)
    #expect(run("help ring").output == asked.output)
  }

  @Test func `the version is printed`() {
    #expect(run("--version").output == "clawback \(Clawback.version)\n")
  }

  @Test func `a failure shows its advice and ends in its own code`() {
    let result = run("paint wet --customer ann")
    #expect(result.diagnostics == "clawback paint: The wall is wet.\nWait a day.\n")
    #expect(result.code == 7)
  }

  @Test func `any other error ends in a plain failure`() {
    let result = run("climb")
    #expect(result.diagnostics == "clawback climb: The ladder fell.\n")
    #expect(result.code == 1)
  }
}
