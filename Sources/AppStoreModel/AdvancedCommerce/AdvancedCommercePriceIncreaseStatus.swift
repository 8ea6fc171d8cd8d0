/// How far an Advanced Commerce price increase has come.
///
/// Source: `status` of Apple's `AdvancedCommercePriceIncreaseInfo`.
public enum AdvancedCommercePriceIncreaseStatus: Hashable, Sendable {
  case scheduled
  case pending
  case accepted
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension AdvancedCommercePriceIncreaseStatus: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "SCHEDULED": self = .scheduled
    case "PENDING": self = .pending
    case "ACCEPTED": self = .accepted
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .scheduled: "SCHEDULED"
    case .pending: "PENDING"
    case .accepted: "ACCEPTED"
    case .unknown(let value): value
    }
  }
}
