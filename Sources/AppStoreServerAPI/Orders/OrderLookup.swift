/// The purchases of one order.
///
/// Source: Apple's `OrderLookupResponse`.
public struct OrderLookup: Hashable, Sendable {
  /// Whether the number is an order of this app; an invalid one is no error.
  public var isValid: Bool
  /// Empty when the number is invalid.
  public var signedTransactions: [UnverifiedJWS]

  public init(isValid: Bool, _ signedTransactions: [UnverifiedJWS]) {
    self.isValid = isValid
    self.signedTransactions = signedTransactions
  }
}
