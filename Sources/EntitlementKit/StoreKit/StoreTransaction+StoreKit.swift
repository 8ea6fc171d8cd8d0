import AppStoreModel
import Foundation
import StoreKit

extension StoreTransaction {
  init(_ result: VerificationResult<StoreKit.Transaction>) {
    let transaction = result.unsafePayloadValue
    var payload = SignedPayload.transaction([UInt8](transaction.jsonRepresentation))
    payload?.complete(by: transaction)
    self.init(
      jws: result.jwsRepresentation, payload: payload, failure: result.failure,
      finish: { await transaction.finish() })
  }
}

extension StoreStatus {
  init(_ status: Product.SubscriptionInfo.Status) {
    let renewal = status.renewalInfo
    self.init(
      state: SubscriptionStatus(rawValue: Int32(clamping: status.state.rawValue)),
      transaction: StoreTransaction(status.transaction),
      renewal: StoreRenewal(
        jws: renewal.jwsRepresentation,
        payload: SignedPayload.renewal([UInt8](renewal.unsafePayloadValue.jsonRepresentation)),
        failure: renewal.failure))
  }
}

extension JWSTransactionDecodedPayload {
  /// Fills in what the JSON leaves out; a revocation that either shows is one.
  fileprivate mutating func complete(by transaction: StoreKit.Transaction) {
    transactionId = transactionId ?? "\(transaction.id)"
    originalTransactionId = originalTransactionId ?? "\(transaction.originalID)"
    productId = productId ?? transaction.productID
    bundleId = bundleId ?? transaction.appBundleID
    purchaseDate = purchaseDate ?? Timestamp(transaction.purchaseDate)
    signedDate = signedDate ?? Timestamp(transaction.signedDate)
    expiresDate = expiresDate ?? transaction.expirationDate.map { Timestamp($0) }
    subscriptionGroupIdentifier = subscriptionGroupIdentifier ?? transaction.subscriptionGroupID
    quantity = quantity ?? Int32(clamping: transaction.purchasedQuantity)
    appAccountToken = appAccountToken ?? transaction.appAccountToken?.uuidString.lowercased()
    type = type ?? ProductType(rawValue: transaction.productType.rawValue)
    inAppOwnershipType =
      inAppOwnershipType ?? InAppOwnershipType(rawValue: transaction.ownershipType.rawValue)
    isUpgraded = isUpgraded ?? transaction.isUpgraded
    completeRevocation(by: transaction)
    if environment == nil { environment = transaction.place }
  }

  private mutating func completeRevocation(by transaction: StoreKit.Transaction) {
    guard let date = transaction.revocationDate else { return }
    revocationDate = revocationDate ?? Timestamp(date)
    revocationReason =
      revocationReason
      ?? transaction.revocationReason.map {
        AppStoreModel.RevocationReason(rawValue: Int32(clamping: $0.rawValue))
      }
  }
}

extension StoreKit.Transaction {
  /// On iOS 15 the environment is text.
  fileprivate var place: AppStoreEnvironment? {
    if #available(iOS 16, macOS 13, tvOS 16, watchOS 9, visionOS 1, *) {
      return AppStoreEnvironment(rawValue: environment.rawValue)
    }
    #if os(visionOS)
      return nil
    #else
      let text = environmentStringRepresentation
      return text.isEmpty ? nil : AppStoreEnvironment(rawValue: text)
    #endif
  }
}

extension VerificationResult {
  /// The name of StoreKit's error; absent where it verified the text.
  fileprivate var failure: String? {
    guard case .unverified(_, let error) = self else { return nil }
    switch error {
    case .revokedCertificate: return "revokedCertificate"
    case .invalidCertificateChain: return "invalidCertificateChain"
    case .invalidDeviceVerification: return "invalidDeviceVerification"
    case .invalidEncoding: return "invalidEncoding"
    case .invalidSignature: return "invalidSignature"
    case .missingRequiredProperties: return "missingRequiredProperties"
    @unknown default: return "an error that StoreKit added later"
    }
  }
}
