import AppStoreModel

/// One transaction as the store keeps it: the payload that the next signature covers.
struct SimulatedTransaction: Sendable {
  /// Without `signedDate`: each copy gets its own.
  var payload: JWSTransactionDecodedPayload
  let customer: Customer
  /// The purchase that it is a family member's share of.
  let sharedFrom: String?
}
