public import AppStoreModel

/// What the products of one app mean.
public struct Catalog: Hashable, Sendable {
  /// Without entries a product grants an entitlement of its own id.
  public static let empty = Catalog([])

  private let entries: [String: [CatalogEntry]]

  /// Takes entries in any order.
  public init(_ entries: [CatalogEntry]) {
    self.entries = Dictionary(grouping: entries, by: \.productId)
      .mapValues { $0.sorted { $0.effectiveFrom < $1.effectiveFrom } }
  }

  public var isEmpty: Bool { entries.isEmpty }

  /// The products that it lists, in order.
  package var productIds: [String] { entries.keys.sorted() }

  /// A product's entries, the earliest first; none for one that it does not list.
  package func entries(of productId: String) -> [CatalogEntry] { entries[productId] ?? [] }

  /// The same with other entries for one product.
  package func replacing(_ productId: String, by others: [CatalogEntry]) -> Catalog {
    Catalog(entries.values.joined().filter { $0.productId != productId } + others)
  }

  /// The entry that was in force when the product was bought.
  public func entry(for productId: String, boughtAt date: Timestamp) -> CatalogEntry? {
    entries[productId]?.last { $0.effectiveFrom <= date }
  }

  /// Whether the product grants an entitlement, whenever it was bought.
  package func grants(_ entitlement: String, by productId: String) -> Bool {
    if isEmpty { return productId == entitlement }
    return entries(of: productId).contains { $0.entitlements.contains(entitlement) }
  }

  /// What the product grants; `nil` for one that a catalog with entries does not list.
  public func entitlements(of productId: String, boughtAt date: Timestamp) -> [String]? {
    isEmpty ? [productId] : entry(for: productId, boughtAt: date)?.entitlements
  }
}
