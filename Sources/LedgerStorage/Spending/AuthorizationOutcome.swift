/// What a request to the spend gate came to.
package enum AuthorizationOutcome: Hashable, Sendable {
  case decided(SpendAuthorization)
  /// The same request was made before: this is its authorization.
  case repeated(SpendAuthorization)
  /// The idempotency key was used with another request.
  case conflict
  /// The kind is counted in another unit.
  case unitMismatch(known: String)
}

/// What settling or releasing came to.
package enum SettlementOutcome: Hashable, Sendable {
  case done(SpendAuthorization, SpendRecord?)
  case unknownAuthorization
  /// The idempotency key was used with another request.
  case conflict
  case currencyMismatch
  /// The kind, its unit or the credits' unit differ from the hold's.
  case unitMismatch(known: String)
  /// It was denied, or closed in another way.
  case alreadyClosed(SpendAuthorization)
}

/// What recording spend afterwards came to.
package enum RecordingOutcome: Hashable, Sendable {
  case recorded([SpendRecord])
  /// The same request was made before: these are its records.
  case repeated([SpendRecord])
  case conflict
  /// The kind of the item at a place is counted in another unit.
  case unitMismatch(place: Int, known: String)
}

/// Why spend is denied to somebody whose right or balance alone would allow it, or who has no
/// balance that does.
///
/// A closed list, described in `docs/contracts/decision-reasons.md`.
package enum SpendRefusal: String, Hashable, Sendable, CaseIterable {
  /// The balance, less what is held and owed, is smaller.
  case insufficientCredits
  /// A refund of credits that were spent has frozen the balance.
  case creditsFrozen
  /// So many holds of the customer are open already.
  case tooManyHolds
  /// Spend on sandbox purchases has used up its budget.
  case sandboxBudget
  /// The store could not be reached, and the policy or the budget for that says no.
  case storeUnreachable
}
