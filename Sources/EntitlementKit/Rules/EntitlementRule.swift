public import AppStoreModel

/// One right that the app asks about, the products that grant it, and what doubt means for it.
public struct EntitlementRule: Hashable, Sendable {
  /// The app's own word, such as `pro`.
  public let id: String
  /// Every product that grants it, bundles included.
  public let products: [String]
  /// What the app does while the store gives no answer.
  public let whenUnknown: UnknownPolicy
  /// How long a non-renewing subscription lasts, by product; the store does not say.
  public let lengths: [String: TimeSpan]

  /// States a rule.
  ///
  /// - Parameters:
  ///   - id: The app's own word for the right.
  ///   - products: Every product that grants it, bundles included.
  ///   - whenUnknown: What the app does while the store gives no answer.
  ///   - lengths: How long each of its non-renewing subscriptions lasts.
  public init(
    _ id: String, products: [String], whenUnknown: UnknownPolicy,
    lengths: [String: TimeSpan] = [:]
  ) {
    self.id = id
    self.products = products
    self.whenUnknown = whenUnknown
    self.lengths = lengths
  }
}

/// What an unknown answer means for the customer: stated by the developer, never an accident.
public enum UnknownPolicy: Hashable, Sendable {
  /// No access without an answer.
  case failClosed
  /// What the store last vouched for stays, for so long after it did.
  ///
  /// It ends at the latest with the period that was paid for and its grace.
  case keepLastKnown(for: TimeSpan)
}
