/// Why a question is not asked: the App Store would refuse it.
public enum RequestFault: Error, Hashable, Sendable {
  /// An identifier is empty: the parameter's name.
  case emptyIdentifier(String)
  /// The start is not before the end.
  case emptyWindow
  case extendByDaysOutOfRange
  case badRequestIdentifier
  /// A list of storefronts that names none.
  case noStorefronts
  case badAccountToken
  /// Orders cannot be looked up in the sandbox.
  case productionOnly
}

extension RequestFault {
  /// Always false: the same question stays wrong.
  public var isTransient: Bool { false }

  /// What the operator should do next.
  public var advice: String {
    switch self {
    case .emptyIdentifier(let name): "Give \(name)."
    case .emptyWindow: "Let the window end after it starts."
    case .extendByDaysOutOfRange: "Extend by 1 to 90 days."
    case .badRequestIdentifier: "Give an identifier of 1 to 128 bytes, such as a UUID."
    case .noStorefronts: "Name storefronts, or give no list for all of them."
    case .badAccountToken: "Give the account's UUID."
    case .productionOnly: "Ask production."
    }
  }
}

extension RequestFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .emptyIdentifier(let name): "\(name) is empty"
    case .emptyWindow: "the window is empty"
    case .extendByDaysOutOfRange: "an extension has 1 to 90 days"
    case .badRequestIdentifier: "the request identifier is empty or too long"
    case .noStorefronts: "the list of storefronts is empty"
    case .badAccountToken: "the account token is not a UUID"
    case .productionOnly: "the sandbox has no orders to look up"
    }
  }
}
