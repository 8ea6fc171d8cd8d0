/// Details of a notification type.
///
/// Source: `subtype` of Apple's `responseBodyV2DecodedPayload`.
public enum NotificationSubtype: Hashable, Sendable {
  case accepted
  case activeTokenReminder
  case autoRenewDisabled
  case autoRenewEnabled
  case billingRecovery
  case billingRetry
  case created
  case downgrade
  case failure
  case gracePeriod
  case initialBuy
  case pending
  case priceIncrease
  case productNotForSale
  case resubscribe
  case summary
  case unreported
  case upgrade
  case voluntary
  /// A value that Apple added after this was written, as it was sent.
  case unknown(String)
}

extension NotificationSubtype: RawRepresentable {
  public init(rawValue: String) {
    switch rawValue {
    case "ACCEPTED": self = .accepted
    case "ACTIVE_TOKEN_REMINDER": self = .activeTokenReminder
    case "AUTO_RENEW_DISABLED": self = .autoRenewDisabled
    case "AUTO_RENEW_ENABLED": self = .autoRenewEnabled
    case "BILLING_RECOVERY": self = .billingRecovery
    case "BILLING_RETRY": self = .billingRetry
    case "CREATED": self = .created
    case "DOWNGRADE": self = .downgrade
    case "FAILURE": self = .failure
    case "GRACE_PERIOD": self = .gracePeriod
    case "INITIAL_BUY": self = .initialBuy
    case "PENDING": self = .pending
    case "PRICE_INCREASE": self = .priceIncrease
    case "PRODUCT_NOT_FOR_SALE": self = .productNotForSale
    case "RESUBSCRIBE": self = .resubscribe
    case "SUMMARY": self = .summary
    case "UNREPORTED": self = .unreported
    case "UPGRADE": self = .upgrade
    case "VOLUNTARY": self = .voluntary
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .accepted: "ACCEPTED"
    case .activeTokenReminder: "ACTIVE_TOKEN_REMINDER"
    case .autoRenewDisabled: "AUTO_RENEW_DISABLED"
    case .autoRenewEnabled: "AUTO_RENEW_ENABLED"
    case .billingRecovery: "BILLING_RECOVERY"
    case .billingRetry: "BILLING_RETRY"
    case .created: "CREATED"
    case .downgrade: "DOWNGRADE"
    case .failure: "FAILURE"
    case .gracePeriod: "GRACE_PERIOD"
    case .initialBuy: "INITIAL_BUY"
    case .pending: "PENDING"
    case .priceIncrease: "PRICE_INCREASE"
    case .productNotForSale: "PRODUCT_NOT_FOR_SALE"
    case .resubscribe: "RESUBSCRIBE"
    case .summary: "SUMMARY"
    case .unreported: "UNREPORTED"
    case .upgrade: "UPGRADE"
    case .voluntary: "VOLUNTARY"
    case .unknown(let value): value
    }
  }
}
