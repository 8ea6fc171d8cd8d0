/// Writes the help, from nothing but the usages.
enum HelpText {
  private static let width = 80

  /// The list of commands, or of the members of one family.
  static func overview(_ commands: [any Command], of family: String? = nil) -> String {
    let start = ["clawback", family].compactMap { $0 }.joined(separator: " ")
    let lines =
      [
        "Clawback knows about every App Store refund, revocation and reversal as soon as",
        "any signal shows it, and answers whether a customer may still spend.",
        "", "Usage: \(start) COMMAND [OPTIONS]", "", "Commands:",
      ] + table(commands.map { (name($0.usage, in: family), $0.usage.summary) }) + [
        "", "'\(start) COMMAND --help' shows options, an example and the exit codes.",
        "'clawback --version' prints the version.",
      ]
    return lines.joined(separator: "\n")
  }

  private static func name(_ usage: Usage, in family: String?) -> String {
    usage.words.dropFirst(family == nil ? 0 : 1).joined(separator: " ")
  }

  static func command(_ usage: Usage) -> String {
    var lines = [usage.summary, "", "Usage: " + synopsis(usage)]
    if !usage.discussion.isEmpty { lines += [""] + paragraphs(usage.discussion) }
    lines += section("Operands", usage.operands.map { ($0.name, $0.help) })
    lines += section("Options", usage.options.map { (spelling($0), $0.help) } + [helpRow])
    lines += ["", "Example:", "  " + usage.example]
    lines += section("Exit codes", exitCodes(usage))
    return lines.joined(separator: "\n")
  }

  static func synopsis(_ usage: Usage) -> String {
    let operands = usage.operands.map { operand in
      let word = operand.name + (operand.repeats ? "…" : "")
      return operand.isRequired ? word : "[\(word)]"
    }
    let required = usage.options.filter(\.isRequired).map(spelling)
    let optional = usage.options.contains { !$0.isRequired } ? ["[OPTIONS]"] : []
    return (["clawback", usage.name] + operands + required + optional).joined(separator: " ")
  }

  private static let helpRow = ("--help", "Show this.")

  private static func spelling(_ option: any Parameter) -> String {
    option.valueName.map { "\(option.name) \($0)" } ?? option.name
  }

  private static func exitCodes(_ usage: Usage) -> [(String, String)] {
    var codes = usage.exitCodes
    if !codes.contains(where: { $0.code == .unusable }) {
      codes.append((code: .unusable, meaning: "The command line cannot be used."))
    }
    return codes.sorted { $0.code.rawValue < $1.code.rawValue }
      .map { (String($0.code.rawValue), $0.meaning) }
  }

  private static func section(_ title: String, _ rows: [(String, String)]) -> [String] {
    rows.isEmpty ? [] : ["", title + ":"] + table(rows)
  }

  private static func table(_ rows: [(String, String)]) -> [String] {
    let longest = min(26, rows.map(\.0.count).max() ?? 0)
    let margin = String(repeating: " ", count: longest + 4)
    return rows.flatMap { name, help in
      let text = wrap(help, to: width - margin.count)
      let padding = String(repeating: " ", count: max(0, longest + 2 - name.count))
      let fits = name.count <= longest
      let head = fits ? ["  " + name + padding + (text.first ?? "")] : ["  " + name]
      return head + text.dropFirst(fits ? 1 : 0).map { margin + $0 }
    }
  }

  private static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { $0.isEmpty ? [""] : wrap(String($0), to: width) }
  }

  private static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
