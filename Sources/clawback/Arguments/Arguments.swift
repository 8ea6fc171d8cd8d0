/// What a user stated for one command, read and checked.
struct Arguments: Sendable {
  private var values: [String: any Sendable] = [:]

  /// Reads every parameter of a usage from the words stated for it.
  ///
  /// Errors: the ``UsageError`` of the first parameter whose words do not fit.
  init(_ usage: Usage, stated: [String: [String]]) throws(UsageError) {
    for parameter in usage.operands + usage.options {
      try read(parameter, stated[parameter.name] ?? [])
    }
  }

  subscript<P: Parameter>(parameter: P) -> P.Value {
    guard let value = values[parameter.name] as? P.Value else {
      preconditionFailure("The usage of this command does not declare \(parameter.name).")
    }
    return value
  }

  private mutating func read(
    _ parameter: some Parameter, _ words: [String]
  ) throws(UsageError) {
    values[parameter.name] = try parameter.read(words)
  }
}
