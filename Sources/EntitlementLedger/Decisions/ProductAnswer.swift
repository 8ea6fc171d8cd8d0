public import AppStoreModel

/// What one chain says about one product.
public struct ProductAnswer: Hashable, Sendable {
  public let productId: String
  /// What the product grants by the catalog; empty for an unmapped one.
  public let entitlements: [String]
  public let reason: DecisionReason
  public let evidence: Evidence
  /// When the reason named stops granting; `nil` for never, and unless granted.
  ///
  /// Access may go on for another one: grace, the leeway of a renewal, what was bought besides.
  public let until: Timestamp?

  package init(
    productId: String, entitlements: [String], reason: DecisionReason, evidence: Evidence,
    until: Timestamp?
  ) {
    self.productId = productId
    self.entitlements = entitlements
    self.reason = reason
    self.evidence = evidence
    self.until = until
  }

  public var verdict: Verdict { reason.verdict }

  /// Whether it holds only until Apple has been asked about the renewal.
  public var isProvisional: Bool { reason == .renewalAwaited }
}
