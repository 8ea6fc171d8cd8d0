public import AppStoreModel

/// What one chain says at one moment.
public struct ChainAnswer: Hashable, Sendable {
  public let key: ChainKey
  /// Sorted by product; empty for consumables, which grant nothing.
  public let products: [ProductAnswer]
  /// In the order of their declaration.
  public let doubts: [Doubt]
  /// The earliest later moment at which `products` change without another fact.
  public let nextChange: Timestamp?

  package init(
    key: ChainKey, products: [ProductAnswer], doubts: [Doubt], nextChange: Timestamp?
  ) {
    self.key = key
    self.products = products
    self.doubts = doubts
    self.nextChange = nextChange
  }

  public var isDoubtful: Bool { !doubts.isEmpty }
}

/// On whose behalf a chain is read.
public enum Perspective: Hashable, Sendable {
  /// A device may close a purchase and never reopens one.
  case server
  /// The kit on its own device: a newer clean copy of its own reopens at once.
  case device
}
