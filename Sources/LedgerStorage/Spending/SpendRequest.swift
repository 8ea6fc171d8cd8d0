package import AppStoreModel

/// Tells a repeat of a request from another one.
package struct RequestKey: Hashable, Sendable {
  /// Whose key it is: two callers may use the same one.
  package let caller: String
  package let key: String
  /// The SHA-256 of what was asked, where and for which app, 32 bytes.
  package let requestSHA256: [UInt8]

  package init(caller: String, key: String, requestSHA256: [UInt8]) {
    self.caller = caller
    self.key = key
    self.requestSHA256 = requestSHA256
  }
}

/// A question to the spend gate, whether so much may be spent on a customer now.
package struct SpendRequest: Hashable, Sendable {
  package let customer: CustomerKey
  package let purpose: SpendPurpose
  /// How long the hold stays unless it is settled or released.
  package let holdLength: TimeSpan
  package let limits: SpendLimits
  /// Whether it was allowed already, while the store could not be reached.
  package let isDegraded: Bool
  package let idempotency: RequestKey?

  package init(
    customer: CustomerKey, purpose: SpendPurpose, holdLength: TimeSpan,
    limits: SpendLimits = .none, isDegraded: Bool = false, idempotency: RequestKey? = nil
  ) {
    self.customer = customer
    self.purpose = purpose
    self.holdLength = holdLength
    self.limits = limits
    self.isDegraded = isDegraded
    self.idempotency = idempotency
  }
}

/// What the operator allows beside what customers have.
package struct SpendLimits: Hashable, Sendable {
  package static let none = SpendLimits(openHolds: nil, sandboxBudget: nil, budgetPeriod: .days(1))

  /// How many holds of one customer may be open.
  package let openHolds: Int?
  /// How much may be spent and held on sandbox purchases of an app, in each currency.
  ///
  /// Unit: microunits of that currency.
  package let sandboxBudget: Int64?
  /// How far back spend counts against that budget.
  package let budgetPeriod: TimeSpan

  package init(openHolds: Int?, sandboxBudget: Int64?, budgetPeriod: TimeSpan) {
    self.openHolds = openHolds
    self.sandboxBudget = sandboxBudget
    self.budgetPeriod = budgetPeriod
  }
}

/// What was spent without asking first.
package struct SpendReport: Hashable, Sendable {
  package let customer: CustomerKey
  package let purpose: SpendPurpose
  package let spentAt: Timestamp

  package init(customer: CustomerKey, purpose: SpendPurpose, spentAt: Timestamp) {
    self.customer = customer
    self.purpose = purpose
    self.spentAt = spentAt
  }
}
