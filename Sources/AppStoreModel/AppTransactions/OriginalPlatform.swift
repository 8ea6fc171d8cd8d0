/// The platform on which the app was first bought.
///
/// Source: `originalPlatform` of Apple's `JWSAppTransactionDecodedPayload`.
public enum OriginalPlatform: Hashable, Sendable {
  case iOS
  case macOS
  case tvOS
  case visionOS
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension OriginalPlatform: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "iOS": self = .iOS
    case "macOS": self = .macOS
    case "tvOS": self = .tvOS
    case "visionOS": self = .visionOS
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .iOS: "iOS"
    case .macOS: "macOS"
    case .tvOS: "tvOS"
    case .visionOS: "visionOS"
    case .unknown(let value): value
    }
  }
}
