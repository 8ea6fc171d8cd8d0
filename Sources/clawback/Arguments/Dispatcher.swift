/// Finds the command that a command line names, and runs it or shows its help.
struct Dispatcher {
  let commands: [any Command]

  func run(_ words: [String], on console: Console) -> ExitCode {
    guard let first = words.first else {
      console.note(HelpText.overview(commands))
      return .unusable
    }
    if first == "--version" {
      console.print("clawback \(Clawback.version)")
      return .success
    }
    if Self.asksForHelp(first) { return help(Array(words.dropFirst()), on: console) }
    guard let command = command(named: words) else { return family(words, on: console) }
    return run(command, Array(words.dropFirst(command.usage.words.count)), on: console)
  }

  private static func asksForHelp(_ word: String) -> Bool {
    ["--help", "-h", "help"].contains(word)
  }

  /// The command that a command line begins with.
  func command(named words: [String]) -> (any Command)? {
    commands.filter { words.starts(with: $0.usage.words) }
      .max { $0.usage.words.count < $1.usage.words.count }
  }

  private func help(_ words: [String], on console: Console) -> ExitCode {
    if words.isEmpty {
      console.print(HelpText.overview(commands))
      return .success
    }
    guard let command = command(named: words) else {
      return family(Array(words.prefix(1)) + ["--help"], on: console)
    }
    console.print(HelpText.command(command.usage))
    return .success
  }

  /// Answers the first word of two-word commands that stands alone: `keys`, `keys --help`.
  private func family(_ words: [String], on console: Console) -> ExitCode {
    let members = commands.filter { $0.usage.words.count > 1 && $0.usage.words[0] == words[0] }
    if members.isEmpty || (words.count > 1 && !words[1].hasPrefix("-")) {
      return refuse(words, members, on: console)
    }
    if words.dropFirst().contains(where: Self.asksForHelp) {
      console.print(HelpText.overview(members, of: words[0]))
      return .success
    }
    console.note(HelpText.overview(members, of: words[0]))
    return .unusable
  }

  private func refuse(
    _ words: [String], _ members: [any Command], on console: Console
  ) -> ExitCode {
    let name = words.prefix(members.isEmpty ? 1 : 2).joined(separator: " ")
    let known = (members.isEmpty ? commands : members).map(\.usage.name)
    let closest = Suggestion.closest(to: name, in: known).map { "'\($0)'" }
    console.note("clawback: \(UsageError.unknownCommand(name, suggestion: closest))")
    console.note("'clawback --help' lists what there is.")
    return .unusable
  }

  private func run(_ command: any Command, _ words: [String], on console: Console) -> ExitCode {
    let usage = command.usage
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      console.print(HelpText.command(usage))
      return .success
    }
    do {
      var parser = ArgumentParser(usage)
      return try command.run(try parser.parse(words), on: console)
    } catch let error as UsageError {
      console.note("clawback \(usage.name): \(error)")
      console.note("'clawback \(usage.name) --help' shows how it is used.")
      return .unusable
    } catch let failure as CommandFailure {
      console.note("clawback \(usage.name): \(failure)")
      if let advice = failure.advice { console.note(advice) }
      return failure.code
    } catch {
      console.note("clawback \(usage.name): \(error)")
      return .failure
    }
  }
}
