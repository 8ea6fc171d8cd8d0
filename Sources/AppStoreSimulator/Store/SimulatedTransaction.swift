package import AppStoreModel

/// One transaction as the store keeps it: the payload that the next signature covers.
package struct SimulatedTransaction: Sendable {
  /// Without `signedDate`: each copy gets its own.
  package internal(set) var payload: JWSTransactionDecodedPayload
  package let customer: Customer
  /// The purchase that it is a family member's share or a seat of.
  package let sharedFrom: String?
  /// When it was made or last changed: Apple's history goes by that.
  package internal(set) var modifiedAt: Timestamp
  /// Grows with every change of any transaction, so that changes of one moment have an order.
  package internal(set) var revision: Int
  /// Whether the app has said that it delivered.
  package internal(set) var isFinished = false

  /// What the customer's receipt calls the order.
  ///
  /// Shape: `MT` and ten digits; a renewal has one of its own.
  package var orderId: String { "MT" + (payload.transactionId ?? "").suffix(10) }
}
