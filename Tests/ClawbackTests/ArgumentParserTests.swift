import Testing

@testable import clawback

struct ArgumentParserTests {
  private func run(_ line: String) -> (code: Int32, output: String, diagnostics: String) {
    let captured = CapturedConsole()
    let words = line.split(separator: " ").map(String.init)
    let code = Dispatcher(commands: [PaintCommand()]).run(words, on: captured.console())
    return (code.rawValue, captured.output, captured.diagnostics)
  }

  @Test(arguments: [
    ("paint north --customer ann", "north||2|-|-|-|indoors||ann|real"),
    ("paint --customer=ann north", "north||2|-|-|-|indoors||ann|real"),
    ("paint north red blue --customer ann", "north|red+blue|2|-|-|-|indoors||ann|real"),
    ("paint north --customer ann --coats 9 --width 1", "north||9|1|-|-|indoors||ann|real"),
    ("paint north --customer a --tool roller --dry-run", "north||2|-|roller|-|indoors||a|dry"),
    ("paint n --customer a --title=x=y --place out", "n||2|-|-|x=y|out||a|real"),
    ("paint n --customer a --avoid door --avoid sill", "n||2|-|-|-|indoors|door+sill|a|real"),
    ("paint --customer a -- --north -x", "--north|-x|2|-|-|-|indoors||a|real"),
    ("paint - --customer a", "-||2|-|-|-|indoors||a|real"),
    ("paint n --customer a --title -5", "n||2|-|-|-5|indoors||a|real"),
  ])
  func `options and operands are read in any order`(line: String, expected: String) {
    let result = run(line)
    #expect(result.output == expected + "\n")
    #expect(result.code == 0)
    #expect(result.diagnostics == "")
  }

  @Test(arguments: [
    ("--cots 3", "There is no option --cots. Did you mean --coats?"),
    ("--frobnicate", "There is no option --frobnicate."),
    ("-v", "There is no option -v."),
    ("--hepl", "There is no option --hepl. Did you mean --help?"),
    ("--coats 1 --coats 2", "--coats is stated twice."),
    ("--dry-run=yes", "--dry-run takes no value."),
    ("--title", "--title needs a value: --title TEXT."),
    ("--title --dry-run", "--title needs a value: --title TEXT."),
    ("--coats many", "--coats cannot be 'many'. It is a whole number from 1 to 9."),
    ("--coats 10", "--coats cannot be '10'. It is a whole number from 1 to 9."),
    ("--width 0", "--width cannot be '0'. It is a whole number from 1 to 500."),
    ("--tool spoon", "--tool cannot be 'spoon'. It is brush or roller."),
  ])
  func `a wrong option is refused with what would be right`(words: String, expected: String) {
    let result = run("paint north --customer ann " + words)
    #expect(
      result.diagnostics == """
        clawback paint: \(expected)
        'clawback paint --help' shows how it is used.

        """)
    #expect(result.output == "")
    #expect(result.code == 2)
  }

  @Test(arguments: ["--title", "--place", "--tool", "--avoid", "--coats", "--width"])
  func `an empty value is refused, whatever is to be stated`(option: String) {
    for value in ["", " ", "\t \n"] {
      for words in [[option, value], [option + "=" + value]] {
        let captured = CapturedConsole()
        let dispatcher = Dispatcher(commands: [PaintCommand()])
        let line = ["paint", "north", "--customer", "ann"] + words
        #expect(dispatcher.run(line, on: captured.console()) == .unusable)
        #expect(captured.diagnostics.hasPrefix("clawback paint: \(option) cannot be empty."))
        #expect(captured.output == "")
      }
    }
  }

  @Test(arguments: [
    (["", "--customer", "ann"], "WALL"), (["north", "--customer", ""], "--customer"),
    (["north", "red", "", "--customer", "ann"], "SHADE"),
    (["--customer", "ann", "--", ""], "WALL"),
  ])
  func `an empty word is no operand and nobody's name`(words: [String], name: String) {
    let captured = CapturedConsole()
    let dispatcher = Dispatcher(commands: [PaintCommand()])
    #expect(dispatcher.run(["paint"] + words, on: captured.console()) == .unusable)
    #expect(captured.diagnostics.hasPrefix("clawback paint: \(name) cannot be empty."))
  }

  @Test func `a missing operand, a missing option and a surplus word are refused`() {
    #expect(run("paint --customer ann").diagnostics.hasPrefix("clawback paint: WALL is missing."))
    #expect(run("paint north").diagnostics.hasPrefix("clawback paint: --customer is missing."))
    let captured = CapturedConsole()
    let dispatcher = Dispatcher(commands: [KeyCommand(verb: "cut")])
    let code = dispatcher.run(["ring", "cut", "a", "b"], on: captured.console())
    #expect(captured.diagnostics.hasPrefix("clawback ring cut: There is no place for 'b'."))
    #expect(code == .unusable)
  }

  @Test(arguments: [
    ("coats", "coats", 0), ("cots", "coats", 1), ("caots", "coats", 1), ("", "abc", 3),
    ("abc", "", 3), ("inspect", "inspecct", 1), ("serve", "verse", 2),
  ])
  func `typing mistakes are counted`(first: String, second: String, edits: Int) {
    #expect(Suggestion.edits(from: first, to: second) == edits)
  }
}
