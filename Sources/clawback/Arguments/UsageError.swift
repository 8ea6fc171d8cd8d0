/// Why a command line cannot be understood.
enum UsageError: Error, Equatable {
  case unknownCommand(String, suggestion: String?)
  case unknownOption(String, suggestion: String?)
  case statedTwice(String)
  case valueForFlag(String)
  case missingValue(String, String)
  case emptyValue(String)
  case surplusOperand(String)
  case missingOperand(String)
  case missingOption(String)
  case badValue(String, String, expected: String)
  case notTogether(String, String)
  case needs(String, String)
}

extension UsageError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknownCommand(let name, let suggestion):
      "There is no command '\(name)'." + Self.hint(suggestion)
    case .unknownOption(let name, let suggestion):
      "There is no option \(name)." + Self.hint(suggestion)
    case .statedTwice(let name): "\(name) is stated twice."
    case .valueForFlag(let name): "\(name) takes no value."
    case .missingValue(let name, let valueName): "\(name) needs a value: \(name) \(valueName)."
    case .emptyValue(let name): "\(name) cannot be empty."
    case .surplusOperand(let word): "There is no place for '\(word)'."
    case .missingOperand(let name): "\(name) is missing."
    case .missingOption(let name): "\(name) is missing."
    case .notTogether(let one, let other): "\(one) and \(other) cannot be stated together."
    case .needs(let one, let other): "\(one) does nothing without \(other)."
    case .badValue(let name, let word, let expected):
      "\(name) cannot be '\(word)'. It is \(expected)."
    }
  }

  private static func hint(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean \($0)?" } ?? ""
  }
}
