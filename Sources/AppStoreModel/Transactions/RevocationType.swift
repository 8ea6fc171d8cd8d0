/// What kind of revocation it is.
///
/// Source: `revocationType` of Apple's `JWSTransactionDecodedPayload`.
public enum RevocationType: Hashable, Sendable {
  case refundFull
  case refundProrated
  case familyRevoke
  case assignmentRevoke
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension RevocationType: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "REFUND_FULL": self = .refundFull
    case "REFUND_PRORATED": self = .refundProrated
    case "FAMILY_REVOKE": self = .familyRevoke
    case "ASSIGNMENT_REVOKE": self = .assignmentRevoke
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .refundFull: "REFUND_FULL"
    case .refundProrated: "REFUND_PRORATED"
    case .familyRevoke: "FAMILY_REVOKE"
    case .assignmentRevoke: "ASSIGNMENT_REVOKE"
    case .unknown(let value): value
    }
  }
}
