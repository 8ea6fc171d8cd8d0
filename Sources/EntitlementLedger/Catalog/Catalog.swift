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

  /// The entry that was in force when the product was bought.
  public func entry(for productId: String, boughtAt date: Timestamp) -> CatalogEntry? {
    entries[productId]?.last { $0.effectiveFrom <= date }
  }

  /// What the product grants; `nil` for one that a catalog with entries does not list.
  public func entitlements(of productId: String, boughtAt date: Timestamp) -> [String]? {
    isEmpty ? [productId] : entry(for: productId, boughtAt: date)?.entitlements
  }
}
