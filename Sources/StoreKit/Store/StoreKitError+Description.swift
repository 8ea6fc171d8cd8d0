public import Foundation

// Apple's texts are shown to customers and differ by language; these name the case.

extension Transaction.RevocationReason {
  public var localizedDescription: String { "revocation reason \(rawValue)" }
}

extension Transaction.OfferType {
  public var localizedDescription: String { "offer type \(rawValue)" }
}

extension Transaction.OwnershipType {
  public var localizedDescription: String { rawValue }
}

extension Product.ProductType {
  public var localizedDescription: String { rawValue }
}

extension StoreKitError: LocalizedError {
  public var errorDescription: String? { "\(self)" }
}

extension Product.PurchaseError: LocalizedError {
  public var errorDescription: String? { "\(self)" }
}

extension Transaction.RefundRequestError: LocalizedError {
  public var errorDescription: String? { "\(self)" }
}

extension VerificationResult.VerificationError: LocalizedError {
  public var errorDescription: String? { "\(self)" }
}
