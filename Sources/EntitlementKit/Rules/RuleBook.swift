import AppStoreModel
import EntitlementLedger

/// The rules of one app, prepared for questions.
package struct RuleBook: Sendable {
  package let rules: [EntitlementRule]
  let catalog: Catalog
  /// How long access stays at an expiry with auto-renewal on, until the renewal shows.
  let policy = Policy([PolicyEntry(renewalLeeway: RuleBook.renewalLeeway)])

  package static let renewalLeeway = TimeSpan.minutes(5)

  package init(_ rules: [EntitlementRule]) {
    self.rules = rules
    let products = Set(rules.flatMap(\.products)).sorted()
    catalog = Catalog(
      products.map { product in
        let granting = rules.filter { $0.products.contains(product) }
        return CatalogEntry(
          productId: product, entitlements: granting.map(\.id),
          length: granting.compactMap { $0.lengths[product] }.max())
      })
  }

  func isMapped(_ product: String) -> Bool {
    rules.contains { $0.products.contains(product) }
  }
}
