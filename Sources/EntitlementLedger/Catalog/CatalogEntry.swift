public import AppStoreModel

/// What one product means, from a moment on.
public struct CatalogEntry: Hashable, Sendable {
  public let productId: String
  /// It counts for what was bought at or after this moment.
  public let effectiveFrom: Timestamp
  public let entitlements: [String]
  /// For payloads that name no type, or none that we know.
  public let typeHint: ProductType?
  /// How long a non-renewing subscription lasts; Apple does not say.
  public let length: TimeSpan?
  /// What one unit of a consumable puts into a balance.
  public let creditsPerUnit: Int64?
  /// Which balance that is.
  public let creditUnit: String
  public let isFamilyShareable: Bool

  public init(
    productId: String, effectiveFrom: Timestamp = .distantPast, entitlements: [String],
    typeHint: ProductType? = nil, length: TimeSpan? = nil, creditsPerUnit: Int64? = nil,
    creditUnit: String = "credits", isFamilyShareable: Bool = false
  ) {
    self.productId = productId
    self.effectiveFrom = effectiveFrom
    self.entitlements = entitlements
    self.typeHint = typeHint
    self.length = length
    self.creditsPerUnit = creditsPerUnit
    self.creditUnit = creditUnit
    self.isFamilyShareable = isFamilyShareable
  }
}
