public import AppStoreModel

/// Whether a customer has one entitlement, and why.
public struct Decision: Hashable, Sendable {
  public let entitlement: String
  public let reason: DecisionReason
  public let evidence: Evidence
  /// When the reason named stops granting; `nil` for never, and unless granted.
  ///
  /// Access may go on for another one: grace, the leeway of a renewal, what was bought besides.
  public let until: Timestamp?

  package init(
    entitlement: String, reason: DecisionReason, evidence: Evidence, until: Timestamp?
  ) {
    self.entitlement = entitlement
    self.reason = reason
    self.evidence = evidence
    self.until = until
  }

  /// That no chain and no grant speaks of an entitlement.
  package static func unheard(of entitlement: String) -> Decision {
    Decision(entitlement: entitlement, reason: .noFacts, evidence: Evidence(), until: nil)
  }

  public var verdict: Verdict { reason.verdict }

  /// Whether it holds only until Apple has been asked about the renewal.
  public var isProvisional: Bool { reason == .renewalAwaited }
}
