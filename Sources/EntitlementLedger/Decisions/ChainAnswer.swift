public import AppStoreModel

/// What one chain says at one moment.
public struct ChainAnswer: Hashable, Sendable {
  public let key: ChainKey
  /// Sorted by product; empty for consumables, which grant nothing.
  public let products: [ProductAnswer]
  /// In the order of their declaration.
  public let doubts: [Doubt]
  /// The first moment from which on all of this is so, by the same facts; `nil` for always.
  package let holdsSince: Timestamp?
  /// The earliest later moment at which any of this may be otherwise, by the same facts.
  package let holdsUntil: Timestamp?
  /// The earliest later moment at which `products` change without another fact.
  public let nextChange: Timestamp?

  package init(
    key: ChainKey, products: [ProductAnswer], doubts: [Doubt], holdsSince: Timestamp?,
    holdsUntil: Timestamp?, nextChange: Timestamp?
  ) {
    self.key = key
    self.products = products
    self.doubts = doubts
    self.holdsSince = holdsSince
    self.holdsUntil = holdsUntil
    self.nextChange = nextChange
  }

  public var isDoubtful: Bool { !doubts.isEmpty }

  /// What it says of each entitlement, the best of its products, sorted by entitlement.
  package var decisions: [Decision] {
    Decision.best(
      of: products.flatMap { product in
        product.entitlements.map { Decision(product, $0) }
      })
  }
}

/// On whose behalf a chain is read.
public enum Perspective: Hashable, Sendable {
  /// A device may close a purchase and never reopens one.
  case server
  /// The kit on its own device: a newer clean copy of its own reopens at once.
  case device
}
