package import AppStoreModel
package import EntitlementLedger

/// Access given by hand, with who gave it, who took it back, and why.
package struct StatedGrant: Hashable, Sendable {
  package let grant: ManualGrant
  /// When it was stated, which may be later than when it begins.
  package let statedAt: Timestamp
  /// The name of the API key; `nil` where no key gave it.
  package let grantedBy: String?
  package let reason: String?
  package let revokedBy: String?
  package let revocationReason: String?

  package init(
    grant: ManualGrant, statedAt: Timestamp, grantedBy: String?, reason: String?,
    revokedBy: String?, revocationReason: String?
  ) {
    self.grant = grant
    self.statedAt = statedAt
    self.grantedBy = grantedBy
    self.reason = reason
    self.revokedBy = revokedBy
    self.revocationReason = revocationReason
  }

  /// The grant as it was known at a moment.
  func known(at moment: Timestamp) -> ManualGrant? {
    guard statedAt <= moment else { return nil }
    var grant = grant
    if let revokedAt = grant.revokedAt, revokedAt > moment { grant.revokedAt = nil }
    return grant
  }

  /// Whether the grant gives access at a moment.
  package func isActive(at moment: Timestamp) -> Bool {
    guard let known = known(at: moment), known.from <= moment else { return false }
    return known.end.map { moment < $0 } ?? true
  }
}

/// Who states something by hand, why, and when.
package struct GrantStatement: Hashable, Sendable {
  /// The name of the API key; `nil` where none is involved.
  package let by: String?
  package let reason: String?
  package let at: Timestamp

  package init(by: String? = nil, reason: String? = nil, at: Timestamp) {
    self.by = by
    self.reason = reason
    self.at = at
  }
}

/// What became of a request to give access by hand.
package enum GrantOutcome: Hashable, Sendable {
  case granted(StatedGrant)
  /// A grant of that id says the same already.
  case repeated(StatedGrant)
  /// A grant of that id says something else, is another customer's, or was that of one who was erased.
  case conflict
}
