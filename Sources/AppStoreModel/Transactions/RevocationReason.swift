/// Why the App Store took a transaction back.
///
/// Source: `revocationReason` of Apple's `JWSTransactionDecodedPayload`.
public enum RevocationReason: Hashable, Sendable {
  /// Any other reason, such as an accidental purchase.
  case other
  /// A real or perceived problem with the app.
  case developerIssue
  /// The customer moved to a bundle. The number is not confirmed by Apple's documentation.
  case upgradedToBundle
  /// A value that Apple added after this was written, as it was sent.
  case unknown(Int32)
}

extension RevocationReason: RawRepresentable {
  public init(rawValue: Int32) {
    switch rawValue {
    case 0: self = .other
    case 1: self = .developerIssue
    case 2: self = .upgradedToBundle
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: Int32 {
    switch self {
    case .other: 0
    case .developerIssue: 1
    case .upgradedToBundle: 2
    case .unknown(let value): value
    }
  }
}
