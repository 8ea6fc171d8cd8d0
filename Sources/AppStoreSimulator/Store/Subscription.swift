package import AppStoreModel

/// One chain of a subscription: what the store knows beside its transactions.
package struct Subscription: Sendable {
  package let originalTransactionId: String
  package let customer: Customer
  package let group: String
  package internal(set) var productId: String
  /// What the next payment buys.
  package internal(set) var nextProductId: String
  package internal(set) var autoRenews = true
  /// In the order in which they were made.
  package internal(set) var transactionIds: [String]
  package internal(set) var expirationIntent: ExpirationIntent?
  package internal(set) var isInBillingRetry = false
  package internal(set) var gracePeriodExpiresDate: Timestamp?
  package internal(set) var runStart: Timestamp
  /// The chain of the family member or organization that pays, absent for the one who does.
  package let sharedFrom: String?
  package let ownership: InAppOwnershipType
  /// Seats bought, one for what is not sold by the seat.
  package internal(set) var seats: Int32 = 1
  /// The token that coming renewals carry.
  package internal(set) var appAccountToken: String?
  /// What this customer pays, absent while it is the catalog's price.
  package internal(set) var price: Money?
  package internal(set) var priceIncrease: PriceIncrease?
  /// The offer that the next payment takes.
  package internal(set) var nextOffer: SimulatedOffer?
  package internal(set) var commitment: Commitment?
  package internal(set) var advancedCommerce: AdvancedCommerceTransactionInfo?
  /// When its end was moved, for the limit of two a year.
  package internal(set) var extensions: [Timestamp] = []
  /// Whether EXPIRED was said of the newest period.
  package internal(set) var hasEnded = false
  /// Whether GRACE_PERIOD_EXPIRED was said of the newest period.
  package internal(set) var hasLeftGrace = false
}

/// A dearer price that was announced and has not come.
package struct PriceIncrease: Hashable, Sendable {
  package let price: Money
  /// Whether the subscription ends without the customer's consent.
  package let needsConsent: Bool
  package internal(set) var isAccepted: Bool
}

/// A monthly plan that binds for longer: which of its months is paid.
package struct Commitment: Hashable, Sendable {
  package internal(set) var number: Int32
  package let total: Int32
  package internal(set) var end: Timestamp
  /// Whether another run follows this one.
  package internal(set) var renews = true
}
