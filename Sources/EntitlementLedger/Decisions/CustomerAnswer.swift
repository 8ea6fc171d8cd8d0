public import AppStoreModel

/// Everything that a customer has, at one moment.
public struct CustomerAnswer: Hashable, Sendable {
  /// Sorted by entitlement.
  public let decisions: [Decision]
  /// Products that no entitlement is configured for, sorted: an alert, never a silent denial.
  public let unmappedProducts: [String]
  /// Chains that Apple is to be asked about.
  public let doubtfulChains: [ChainKey]
  /// The earliest later moment at which the answer changes without another fact.
  public let nextChange: Timestamp?

  package init(
    decisions: [Decision], unmappedProducts: [String], doubtfulChains: [ChainKey],
    nextChange: Timestamp?
  ) {
    self.decisions = decisions
    self.unmappedProducts = unmappedProducts
    self.doubtfulChains = doubtfulChains
    self.nextChange = nextChange
  }

  /// The decision about one entitlement; `unknown` where no chain and no grant speaks of it.
  public func decision(on entitlement: String) -> Decision {
    decisions.first { $0.entitlement == entitlement } ?? .unheard(of: entitlement)
  }
}
