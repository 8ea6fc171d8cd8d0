/// Somebody who buys, with an Apple Account of their own.
package struct Customer: Hashable, Sendable {
  package let name: String
  /// What the app passed with the purchase: the customer's id in its own records.
  ///
  /// Shape: a lower-case UUID; absent when the app passes none.
  package let appAccountToken: String?
  /// One for each Apple Account and app.
  package let appTransactionId: String
  /// The family that buys together; absent for somebody who shares with nobody by name.
  package let family: String?
  package let storefront: Storefront
}
