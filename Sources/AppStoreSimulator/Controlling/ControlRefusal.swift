/// Why a control call is not carried out; nothing was changed.
enum ControlRefusal: Error, Hashable {
  case unknown(String)
  case notPosted(String)
  case notJSON
  case missing(String)
  case wrong(String)
  case empty(String)
  /// A word that is none of those the control knows.
  case notOneOf(String, String)
  /// A member that the control would not read, and the name that is likely meant.
  case unknownMember(String, meant: String?)
  case backwards

  var status: Int {
    switch self {
    case .unknown: 404
    case .notPosted: 405
    default: 400
    }
  }
}

extension ControlRefusal: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknown(let word): "There is no control named '\(word)'."
    case .notPosted(let word): "'\(word)' changes something: use POST."
    case .notJSON: "The body is not a JSON object."
    case .missing(let name): "The body lacks \(name)."
    case .wrong(let name): "The value of \(name) makes no sense."
    case .empty(let name): "\(name) cannot be empty."
    case .notOneOf(let name, let words): "\(name) is one of \(words)."
    case .unknownMember(let name, let meant):
      "There is no member \(name) here" + (meant.map { "; is \($0) meant?" } ?? ".")
    case .backwards: "The store's clock moves ahead only."
    }
  }
}
