import Testing

@testable import clawback

/// What is true of the help of every command.
struct CommandListTests {
  private static let names = CommandList.all.map(\.usage.name)

  private func usage(_ name: String) throws -> Usage {
    try #require(CommandList.all.map(\.usage).first { $0.name == name })
  }

  @Test func `names are unique and none hides a family`() {
    let families = CommandList.all.filter { $0.usage.words.count == 2 }.map { $0.usage.words[0] }
    #expect(Set(Self.names).count == Self.names.count)
    #expect(Set(families).isDisjoint(with: Self.names))
  }

  @Test(arguments: names)
  func `help is complete and fits eighty columns`(name: String) throws {
    let captured = CapturedConsole()
    let words = name.split(separator: " ").map(String.init) + ["--help"]
    let code = Dispatcher(commands: CommandList.all).run(words, on: captured.console())
    #expect(code == .success)
    for heading in ["Usage: clawback \(name)", "Options:", "Example:", "Exit codes:", "  0  "] {
      #expect(captured.output.contains(heading))
    }
    let long = captured.output.split(separator: "\n").filter { $0.count > 80 }
    #expect(long == [])
  }

  @Test(arguments: names)
  func `the example is a command line that the parser takes`(name: String) throws {
    let usage = try usage(name)
    let line = usage.example.prefix { !"|<>".contains($0) }
    let words = line.split(separator: " ").map(String.init)
    let start = ["clawback"] + usage.words
    #expect(Array(words.prefix(start.count)) == start)
    var parser = ArgumentParser(usage)
    _ = try parser.parse(Array(words.dropFirst(start.count)))
  }

  @Test(arguments: names)
  func `no parameter that takes a value takes an empty one`(name: String) throws {
    let usage = try usage(name)
    for option in usage.options where option.valueName != nil {
      var parser = ArgumentParser(usage)
      #expect(throws: UsageError.emptyValue(option.name)) {
        try parser.parse([option.name, ""])
      }
    }
    for (place, operand) in usage.operands.enumerated() {
      var parser = ArgumentParser(usage)
      #expect(throws: UsageError.emptyValue(operand.name)) {
        try parser.parse(Array(repeating: "a", count: place) + [""])
      }
    }
  }

  @Test(arguments: names)
  func `every text is a sentence and every name is said once`(name: String) throws {
    let usage = try usage(name)
    let parameters = usage.operands + usage.options
    #expect(Set(parameters.map(\.name)).count == parameters.count)
    for text in [usage.summary] + parameters.map(\.help) + usage.exitCodes.map(\.meaning) {
      #expect(text.hasSuffix(".") && text.first?.isUppercase == true, "\(text)")
    }
  }
}
