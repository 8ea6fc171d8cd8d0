package import AppStoreModel

/// What the spend gate answered, and what became of it.
package struct SpendAuthorization: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case denied, open, settled, released
    /// Its time ended before it was settled.
    case lapsed
    /// Access was taken back while it was open.
    case revoked
  }

  package let id: String
  package let customer: CustomerKey
  package let entitlement: String
  package let amount: Money
  package let state: State
  /// A `DecisionReason` by its name.
  package let reason: String
  /// The customer's version that it was decided at.
  package let version: Int64
  package let originalTransactionId: String?
  package let transactionId: String?
  package let decidedAt: Timestamp
  /// `nil` for a denied one.
  package let lapsesAt: Timestamp?

  /// Whether the money may be spent: never on a hold that was revoked, also not as a repeat.
  package var isAllowed: Bool { state != .denied && state != .revoked }
}

/// What a request to the spend gate came to.
package enum AuthorizationOutcome: Hashable, Sendable {
  case decided(SpendAuthorization)
  /// The same request was made before: this is its authorization.
  case repeated(SpendAuthorization)
  /// The idempotency key was used with another request.
  case conflict
}

/// What settling or releasing came to.
package enum SettlementOutcome: Hashable, Sendable {
  case done(SpendAuthorization, SpendRecord?)
  case unknownAuthorization
  case currencyMismatch
  /// It was denied, or closed in another way.
  case alreadyClosed(SpendAuthorization)
}

/// What serving a customer did cost.
package struct SpendRecord: Hashable, Sendable {
  package enum Lateness: String, Hashable, Sendable {
    /// Spent after Apple's date and before we knew.
    case unseen
    /// Spent after we knew.
    case ignored
  }

  package let amount: Money
  /// Whether more was spent than was held.
  package let isAboveHold: Bool
  /// `nil` for spend in time.
  package let lateness: Lateness?
  package let spentAt: Timestamp
}
