import EntitlementKit

/// Everything of the app that is not its screens: what it sells, and what it says to the customer.
public struct Shop: Sendable {
  public static let rules = [
    EntitlementRule(
      "pro", products: ["pro.lifetime", "pro.monthly"],
      whenUnknown: .keepLastKnown(for: .days(3))),
    EntitlementRule("export", products: ["export"], whenUnknown: .failClosed),
  ]

  public let entitlements: Entitlements

  public init(_ entitlements: Entitlements) {
    self.entitlements = entitlements
  }

  /// One line for the customer about a right.
  public func line(_ id: String) -> String {
    switch entitlements[id].answer {
    case .entitled: "\(id): yours"
    case .unknown: "\(id): asking the App Store"
    case .notEntitled(.refunded): "\(id): refunded, buy it again any time"
    case .notEntitled(.familySharingEnded): "\(id): no longer shared with you"
    case .notEntitled(.expired): "\(id): over"
    case .notEntitled: "\(id): not bought"
    }
  }
}
