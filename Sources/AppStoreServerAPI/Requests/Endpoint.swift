/// A question that the App Store answers, with what limits and repeats go by.
public enum Endpoint: String, CaseIterable, Hashable, Sendable {
  case transactionInfo
  case appTransactionInfo
  case transactionHistory
  case subscriptionStatuses
  case refundHistory
  case notificationHistory
  case requestTestNotification
  case testNotificationStatus
  case lookUpOrder
  case sendConsumption
  case sendConsumptionV1
  case extendRenewal
  case extendRenewals
  case massExtensionStatus
  case setAppAccountToken
  case finishTransaction
}

extension Endpoint {
  /// How many calls a second Apple allows one app in production.
  ///
  /// Source: Apple's "Identifying rate limits"; the status of a mass extension is not listed there
  /// and takes the scarcest.
  var callsPerSecond: Int64 {
    switch self {
    case .transactionInfo, .appTransactionInfo, .transactionHistory, .subscriptionStatuses,
      .notificationHistory, .sendConsumption, .sendConsumptionV1, .finishTransaction:
      50
    case .extendRenewal, .setAppAccountToken: 20
    case .refundHistory, .lookUpOrder: 10
    case .requestTestNotification, .testNotificationStatus, .extendRenewals,
      .massExtensionStatus:
      1
    }
  }

  /// Whether asking twice does no more than asking once.
  var mayBeRepeated: Bool {
    switch self {
    case .extendRenewal, .extendRenewals: false
    default: true
    }
  }

  var method: String {
    switch self {
    case .notificationHistory, .requestTestNotification, .extendRenewals, .finishTransaction:
      "POST"
    case .sendConsumption, .sendConsumptionV1, .extendRenewal, .setAppAccountToken: "PUT"
    default: "GET"
    }
  }
}
