/// Whether the customer bought or the subscription renewed.
///
/// Source: `transactionReason` of Apple's `JWSTransactionDecodedPayload`.
public enum TransactionReason: Hashable, Sendable {
  case purchase
  case renewal
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension TransactionReason: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "PURCHASE": self = .purchase
    case "RENEWAL": self = .renewal
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .purchase: "PURCHASE"
    case .renewal: "RENEWAL"
    case .unknown(let value): value
    }
  }
}
