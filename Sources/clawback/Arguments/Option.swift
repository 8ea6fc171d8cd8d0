/// A named value: `--port 8080`, `--port=8080`, or `--json` for a flag.
struct Option<Value: Sendable>: Parameter {
  let name: String
  let valueName: String?
  let help: String
  let isRequired: Bool
  let repeats: Bool
  private let reading: @Sendable ([String]) throws(UsageError) -> Value

  private init(
    _ name: String, _ valueName: String?, _ help: String, isRequired: Bool = false,
    repeats: Bool = false, reading: @escaping @Sendable ([String]) throws(UsageError) -> Value
  ) {
    self.name = "--" + name
    self.valueName = valueName
    self.help = help
    self.isRequired = isRequired
    self.repeats = repeats
    self.reading = reading
  }

  func read(_ words: [String]) throws(UsageError) -> Value { try reading(words) }
}

extension Option<Bool> {
  /// A switch that is off unless stated.
  static func flag(_ name: String, _ help: String) -> Self {
    Self(name, nil, help) { words in !words.isEmpty }
  }

  /// The switch that every command with a result for programs has.
  static let json = flag("json", "Print the result as one JSON object.")
}

extension Option<String?> {
  /// Any text, absent unless stated.
  static func text(_ name: String, _ valueName: String, _ help: String) -> Self {
    Self(name, valueName, help) { words in words.last }
  }

  /// One of a closed list of words, absent unless stated.
  static func choice(_ name: String, _ choices: [String], _ help: String) -> Self {
    Self(name, choices.joined(separator: "|"), help) { words throws(UsageError) in
      guard let word = words.last else { return nil }
      guard choices.contains(word) else {
        throw .badValue("--" + name, word, expected: choices.joined(separator: " or "))
      }
      return word
    }
  }
}

extension Option<String> {
  /// Any text, with the value that stands when it is not stated.
  static func text(
    _ name: String, _ valueName: String, default standing: String, _ help: String
  ) -> Self {
    Self(name, valueName, "\(help) Default: \(standing).") { words in words.last ?? standing }
  }

  /// Any text, without which the command cannot run.
  static func required(_ name: String, _ valueName: String, _ help: String) -> Self {
    Self(name, valueName, help, isRequired: true) { words throws(UsageError) in
      guard let word = words.last else { throw .missingOption("--" + name) }
      return word
    }
  }
}

extension Option<[String]> {
  /// Any number of texts.
  static func list(_ name: String, _ valueName: String, _ help: String) -> Self {
    Self(name, valueName, help + " May be repeated.", repeats: true) { words in words }
  }
}

extension Option<Int?> {
  /// A whole number of a range, absent unless stated.
  static func number(_ name: String, in range: ClosedRange<Int>, _ help: String) -> Self {
    Self(name, "N", help) { words throws(UsageError) in
      guard let word = words.last else { return nil }
      return try wholeNumber(word, in: range, for: name)
    }
  }
}

extension Option<Int> {
  /// A whole number of a range, with the value that stands when it is not stated.
  static func number(
    _ name: String, in range: ClosedRange<Int>, default standing: Int, _ help: String
  ) -> Self {
    Self(name, "N", "\(help) Default: \(standing).") { words throws(UsageError) in
      guard let word = words.last else { return standing }
      return try wholeNumber(word, in: range, for: name)
    }
  }
}

private func wholeNumber(
  _ word: String, in range: ClosedRange<Int>, for name: String
) throws(UsageError) -> Int {
  guard let number = Int(word), range.contains(number) else {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    throw .badValue("--" + name, word, expected: expected)
  }
  return number
}
