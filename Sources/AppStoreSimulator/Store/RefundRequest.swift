package import AppStoreModel

/// Somebody asked for money back, and Apple asks the app how much of the purchase was used.
package struct RefundRequest: Hashable, Sendable {
  package let transactionId: String
  package let reason: ConsumptionRequestReason
  package let askedAt: Timestamp
  /// Until when the app may answer, and when Apple decides.
  package let deadline: Timestamp
  package internal(set) var answer: ConsumptionAnswer?
}

/// What the app tells Apple about a purchase whose money is asked for.
package struct ConsumptionAnswer: Hashable, Sendable {
  package enum Preference: String, Sendable, CaseIterable {
    case decline = "DECLINE"
    case grantFull = "GRANT_FULL"
    case grantProrated = "GRANT_PRORATED"
  }

  package var preference: Preference?
  /// The share that was used up; absent when the app does not say.
  package var consumed: RevokedShare?
  package var isDelivered: Bool

  package init(
    preference: Preference? = nil, consumed: RevokedShare? = nil, isDelivered: Bool = true
  ) {
    self.preference = preference
    self.consumed = consumed
    self.isDelivered = isDelivered
  }
}

/// What came of asking for money back.
package enum RefundDecision: Hashable, Sendable {
  case declined
  case full
  case prorated(RevokedShare)
}
