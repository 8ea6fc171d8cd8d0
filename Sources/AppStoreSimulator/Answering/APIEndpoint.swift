/// What can be called.
///
/// Source: Apple's App Store Server API, 1.22; "Identifying rate limits".
package enum APIEndpoint: String, CaseIterable, Hashable, Sendable {
  case transactionInfo
  case appTransactionInfo
  case history
  case historyV1
  case statuses
  case refundHistory
  case refundHistoryV1
  case notificationHistory
  case requestTest
  case testStatus
  case orderLookup
  case consumption
  case consumptionV1
  case extend
  case extendMass
  case massStatus
  case setAppAccountToken
  case finish

  /// Calls a second and app in production; enforced over an hour.
  package var perSecond: Int {
    switch self {
    case .transactionInfo, .appTransactionInfo, .history, .historyV1, .statuses, .consumption,
      .consumptionV1, .notificationHistory, .finish:
      50
    case .extend, .setAppAccountToken: 20
    case .orderLookup, .refundHistory, .refundHistoryV1: 10
    case .extendMass, .massStatus, .requestTest, .testStatus: 1
    }
  }

  /// The method and the path, in which a star stands for any one segment.
  private var pattern: (method: String, path: [Substring]) {
    let text =
      switch self {
      case .appTransactionInfo: "GET/inApps/v1/transactions/appTransactions/*"
      case .transactionInfo: "GET/inApps/v1/transactions/*"
      case .history: "GET/inApps/v2/history/*"
      case .historyV1: "GET/inApps/v1/history/*"
      case .statuses: "GET/inApps/v1/subscriptions/*"
      case .refundHistory: "GET/inApps/v2/refund/lookup/*"
      case .refundHistoryV1: "GET/inApps/v1/refund/lookup/*"
      case .notificationHistory: "POST/inApps/v1/notifications/history"
      case .requestTest: "POST/inApps/v1/notifications/test"
      case .testStatus: "GET/inApps/v1/notifications/test/*"
      case .orderLookup: "GET/inApps/v1/lookup/*"
      case .consumption: "PUT/inApps/v2/transactions/consumption/*"
      case .consumptionV1: "PUT/inApps/v1/transactions/consumption/*"
      case .extendMass: "POST/inApps/v1/subscriptions/extend/mass"
      case .massStatus: "GET/inApps/v1/subscriptions/extend/mass/*/*"
      case .extend: "PUT/inApps/v1/subscriptions/extend/*"
      case .setAppAccountToken: "PUT/inApps/v1/transactions/*/appAccountToken"
      case .finish: "POST/inApps/v1/transactions/*/finish"
      }
    let parts = text.split(separator: "/")
    return (String(parts[0]), Array(parts.dropFirst()))
  }

  private static let patterns = allCases.map { ($0, $0.pattern) }

  /// What a method and a path call, with what stands for the stars; absent for any other path.
  static func called(
    _ method: String, _ segments: [String]
  ) -> (endpoint: APIEndpoint, arguments: [String])? {
    for (endpoint, pattern) in patterns
    where pattern.method == method && pattern.path.count == segments.count {
      let pairs = Array(zip(pattern.path, segments))
      guard pairs.allSatisfy({ $0 == "*" ? !$1.isEmpty : $0 == $1 }) else { continue }
      return (endpoint, pairs.filter { $0.0 == "*" }.map(\.1))
    }
    return nil
  }
}
