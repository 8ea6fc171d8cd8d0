package import AppStoreModel

/// A question to the spend gate, whether so much may be spent on a customer now.
package struct SpendRequest: Hashable, Sendable {
  /// Tells a repeat of a request from another one.
  package struct Idempotency: Hashable, Sendable {
    /// Whose key it is: two callers may use the same one.
    package let caller: String
    package let key: String
    /// The SHA-256 of the request's body, 32 bytes.
    package let requestSHA256: [UInt8]

    package init(caller: String, key: String, requestSHA256: [UInt8]) {
      self.caller = caller
      self.key = key
      self.requestSHA256 = requestSHA256
    }
  }

  package let customer: CustomerKey
  package let entitlement: String
  package let amount: Money
  /// How long the hold stays unless it is settled or released.
  package let holdLength: TimeSpan
  package let idempotency: Idempotency?

  package init(
    customer: CustomerKey, entitlement: String, amount: Money, holdLength: TimeSpan,
    idempotency: Idempotency?
  ) {
    self.customer = customer
    self.entitlement = entitlement
    self.amount = amount
    self.holdLength = holdLength
    self.idempotency = idempotency
  }
}
