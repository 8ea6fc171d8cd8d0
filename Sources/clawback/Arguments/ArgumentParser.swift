/// Sorts the words after a command's name into its options and operands.
///
/// `--name value` and `--name=value` are the same; `--` ends the options; `-` is an operand, by
/// custom the standard input.
struct ArgumentParser {
  let usage: Usage

  private var stated: [String: [String]] = [:]
  private var operands: [String] = []

  init(_ usage: Usage) {
    self.usage = usage
  }

  mutating func parse(_ words: [String]) throws(UsageError) -> Arguments {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      if word.hasPrefix("-"), word != "-" {
        try takeOption(word, &rest)
      } else {
        operands.append(word)
      }
    }
    try placeOperands()
    return try Arguments(usage, stated: stated)
  }

  private mutating func takeOption(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = usage.options.first(where: { $0.name == name }) else {
      let known = usage.options.map(\.name) + ["--help"]
      throw .unknownOption(name, suggestion: Suggestion.closest(to: name, in: known))
    }
    guard option.repeats || stated[name] == nil else { throw .statedTwice(name) }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    stated[name, default: []].append(try value(of: option, attached, &rest))
  }

  private func value(
    of option: any Parameter, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let valueName = option.valueName else {
      guard attached == nil else { throw .valueForFlag(option.name) }
      return ""
    }
    let word: String
    if let attached {
      word = attached
    } else {
      guard let next = rest.popFirst(), !next.hasPrefix("--") else {
        throw .missingValue(option.name, valueName)
      }
      word = next
    }
    try Self.refuseEmpty(word, for: option.name)
    return word
  }

  /// An empty word is mostly a variable of a script that was never set.
  private static func refuseEmpty(_ word: String, for name: String) throws(UsageError) {
    if word.allSatisfy(\.isWhitespace) { throw .emptyValue(name) }
  }

  private mutating func placeOperands() throws(UsageError) {
    var rest = operands[...]
    for operand in usage.operands {
      let count = operand.repeats ? rest.count : min(1, rest.count)
      for word in rest.prefix(count) { try Self.refuseEmpty(word, for: operand.name) }
      stated[operand.name] = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    if let surplus = rest.first { throw .surplusOperand(surplus) }
  }
}
