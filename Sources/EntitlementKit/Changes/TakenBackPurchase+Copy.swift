import EntitlementLedger
import Foundation

extension TakenBackPurchase {
  init(_ copy: TransactionCopy) {
    self.init(
      transactionID: copy.transactionId, productID: copy.productId, productType: copy.type,
      ownershipType: copy.inAppOwnershipType,
      quantity: Int(copy.quantity), revocationDate: copy.revocation.map { Date($0.date) },
      reason: copy.revocation?.reason, type: copy.revocation?.type,
      share: copy.revocation?.share,
      appAccountToken: copy.appAccountToken.flatMap { UUID(uuidString: $0) })
  }
}
