package import AppStoreModel

/// What came of moving the end of every subscription of one product.
package struct MassExtension: Hashable, Sendable {
  package let requestIdentifier: String
  package let productId: String
  /// Shape: ISO 3166-1 alpha-3 codes; empty means all.
  package let storefronts: [String]
  package let completedAt: Timestamp
  package let succeeded: Int64
  package let failed: Int64
}
