/// What a simulated store sells under one product id.
public enum SimulatedProductKind: Hashable, Sendable {
  /// Used up, and bought again.
  case consumable
  /// Bought once, for good.
  case nonConsumable
  /// A subscription that ends by itself.
  case nonRenewing
  /// A subscription with periods of so many days; level 1 is the highest tier of its group.
  case subscription(group: String = "group", days: Int = 30, level: Int = 1)
}
