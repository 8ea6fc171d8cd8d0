/// Which App Store a purchase was made in.
///
/// Source: `environment` of Apple's `JWSTransactionDecodedPayload`.
public enum AppStoreEnvironment: Hashable, Sendable {
  case production
  case sandbox
  case xcode
  case localTesting
  /// A value that Apple added after this was written, as it was spelt.
  case unknown(String)
}

extension AppStoreEnvironment: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "Production": self = .production
    case "Sandbox": self = .sandbox
    case "Xcode": self = .xcode
    case "LocalTesting": self = .localTesting
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .production: "Production"
    case .sandbox: "Sandbox"
    case .xcode: "Xcode"
    case .localTesting: "LocalTesting"
    case .unknown(let value): value
    }
  }
}
