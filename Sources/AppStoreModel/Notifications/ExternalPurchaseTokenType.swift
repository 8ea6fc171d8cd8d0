/// What a custom link token is for.
///
/// Source: `tokenType` of Apple's `externalPurchaseToken`.
public enum ExternalPurchaseTokenType: Hashable, Sendable {
  case acquisition
  case services
  case coreTechnology
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension ExternalPurchaseTokenType: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "ACQUISITION": self = .acquisition
    case "SERVICES": self = .services
    case "CORE_TECHNOLOGY": self = .coreTechnology
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .acquisition: "ACQUISITION"
    case .services: "SERVICES"
    case .coreTechnology: "CORE_TECHNOLOGY"
    case .unknown(let value): value
    }
  }
}
