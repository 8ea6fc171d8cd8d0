/// A value known by its place: `FILE`.
struct Operand<Value: Sendable>: Parameter {
  let name: String
  let help: String
  let isRequired: Bool
  let repeats: Bool
  private let reading: @Sendable ([String]) throws(UsageError) -> Value

  var valueName: String? { name }

  private init(
    _ name: String, _ help: String, isRequired: Bool, repeats: Bool = false,
    reading: @escaping @Sendable ([String]) throws(UsageError) -> Value
  ) {
    self.name = name
    self.help = help
    self.isRequired = isRequired
    self.repeats = repeats
    self.reading = reading
  }

  func read(_ words: [String]) throws(UsageError) -> Value { try reading(words) }
}

extension Operand<String> {
  /// A word without which the command cannot run.
  static func required(_ name: String, _ help: String) -> Self {
    Self(name, help, isRequired: true) { words throws(UsageError) in
      guard let word = words.first else { throw .missingOperand(name) }
      return word
    }
  }
}

extension Operand<String?> {
  /// A word that may be left out.
  static func optional(_ name: String, _ help: String) -> Self {
    Self(name, help, isRequired: false) { words in words.first }
  }
}

extension Operand<[String]> {
  /// All the words that are left; stands last.
  static func rest(_ name: String, _ help: String) -> Self {
    Self(name, help, isRequired: false, repeats: true) { words in words }
  }
}
