public import AppStoreModel

/// More days for all eligible subscribers of one product.
///
/// Source: Apple's `MassExtendRenewalDateRequest`.
public struct MassExtendRenewals: Hashable, Sendable {
  public let productId: String
  public let terms: ExtendRenewal
  /// Where; `nil` for every storefront.
  ///
  /// Shape: ISO 3166-1 alpha-3.
  public let storefrontCountryCodes: [String]?

  /// States an extension.
  ///
  /// - Throws: the ``RequestFault`` that Apple would refuse.
  public init(
    productId: String, _ terms: ExtendRenewal, storefrontCountryCodes: [String]? = nil
  ) throws(RequestFault) {
    guard !productId.isEmpty else { throw .emptyIdentifier("productId") }
    if let codes = storefrontCountryCodes, codes.isEmpty { throw .noStorefronts }
    self.productId = productId
    self.terms = terms
    self.storefrontCountryCodes = storefrontCountryCodes
  }
}

/// How far an extension for all subscribers has come.
///
/// Source: Apple's `MassExtendRenewalDateStatusResponse`.
public struct MassExtensionStatus: Hashable, Sendable {
  public var requestIdentifier: String?
  public var isComplete: Bool
  /// This and the counts are absent until it is complete.
  public var completeDate: Timestamp?
  public var succeededCount: Int64?
  public var failedCount: Int64?

  public init(
    isComplete: Bool, requestIdentifier: String? = nil, completeDate: Timestamp? = nil,
    succeededCount: Int64? = nil, failedCount: Int64? = nil
  ) {
    self.isComplete = isComplete
    self.requestIdentifier = requestIdentifier
    self.completeDate = completeDate
    self.succeededCount = succeededCount
    self.failedCount = failedCount
  }
}
