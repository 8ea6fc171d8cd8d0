/// Why an answer is what it is: a closed list, described in `docs/contracts/decision-reasons.md`.
public enum DecisionReason: String, Hashable, Sendable, CaseIterable {
  // Granted
  case activePeriod
  case gracePeriod
  case renewalAwaited
  case activeByStatus
  case owned
  case activeTerm
  case manualGrant

  // Denied
  case refunded
  case familyRevoked
  case assignmentRevoked
  case revoked
  case movedToBundle
  case revokedWithoutDate
  case revokedByStatus
  case billingRetry
  case expired
  case replaced
  case notBegun
  case manualGrantEnded

  // Unknown
  case noFacts
  case unmappedProduct
  case unknownProductType
  case unknownLength

  public var verdict: Verdict {
    switch self {
    case .activePeriod, .gracePeriod, .renewalAwaited, .activeByStatus, .owned, .activeTerm,
      .manualGrant:
      .granted
    case .refunded, .familyRevoked, .assignmentRevoked, .revoked, .movedToBundle,
      .revokedWithoutDate, .revokedByStatus, .billingRetry, .expired, .replaced, .notBegun,
      .manualGrantEnded:
      .denied
    case .noFacts, .unmappedProduct, .unknownProductType, .unknownLength: .unknown
    }
  }
}

/// The three answers to "may they?".
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  case granted
  case denied
  /// We do not know: a stated policy says what that means.
  case unknown
}
