import AppStoreModel
public import Foundation

/// Takes a consumable into the app's own books; true when that is done for good.
///
/// It is asked once for each transaction, and again at the next launch where it answered false. The
/// transaction is finished only after it answered true.
public typealias ConsumableDelivery = @Sendable (ConsumablePurchase) async -> Bool

/// A consumable that was bought.
public struct ConsumablePurchase: Hashable, Sendable {
  /// What the app should key its own books by.
  public let transactionID: String
  /// The product that was bought.
  public let productID: String
  /// How many were bought at once.
  public let quantity: Int
  /// When it was bought; absent where Apple did not say.
  public let purchaseDate: Date?
  /// What the app passed with the purchase; absent where it passed nothing.
  public let appAccountToken: UUID?

  init(_ payload: JWSTransactionDecodedPayload) {
    transactionID = payload.transactionId ?? ""
    productID = payload.productId ?? ""
    quantity = Int(max(1, payload.quantity ?? 1))
    purchaseDate = payload.purchaseDate.map { Date($0) }
    appAccountToken = payload.appAccountToken.flatMap { UUID(uuidString: $0) }
  }
}

extension Holdings {
  mutating func markDelivered(_ transactionID: String) {
    delivered.insert(transactionID)
  }

  mutating func seeClock(_ device: Timestamp) {
    clock.see(device)
  }
}
