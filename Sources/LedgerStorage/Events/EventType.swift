package import EntitlementLedger

/// What an event can be about: a closed list, described in `docs/contracts/event-types.md`.
package enum EventType: String, Hashable, Sendable, CaseIterable {
  case granted
  case revoked
  case restored
  case expired
  case uncertain
  case changed
  case refunded
  case refundReversed
  case refundAmended
  case balanceChanged
  case holdRevoked
  case holdLapsed
  case runningCostChanged
  case payoutChanged
  case caseOpened
  case caseAnswered
  case caseMissed
  case caseClosed
  case faultCluster
  case webhookDisabled
  case webhookWoken

  /// What tells of a difference between two answers.
  package init(_ kind: LedgerEvent.Kind) {
    self =
      switch kind {
      case .granted: .granted
      case .revoked: .revoked
      case .restored: .restored
      case .expired: .expired
      case .uncertain: .uncertain
      case .changed: .changed
      case .refunded: .refunded
      case .refundReversed: .refundReversed
      case .refundAmended: .refundAmended
      }
  }

  /// Whether it is about an endpoint, which is not sent it itself.
  package var isAboutEndpoint: Bool { self == .webhookDisabled || self == .webhookWoken }
}
