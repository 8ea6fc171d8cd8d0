public import Foundation

/// Apple's `StoreKitError`; like Apple's it is not `Equatable`.
public enum StoreKitError: Error {
  case unknown, userCancelled
  case networkError(URLError)
  case systemError(any Error)
  case notAvailableInStorefront
  case notEntitled
  case unsupported
  case invalidPresentationContext
}

extension StoreKitError: Sendable {}

/// Apple's `InvalidRequestError`.
public struct InvalidRequestError: Error {
  public let code: Int64
  public let message: String
}

// Apple's texts are shown to customers and differ by language; these name the case.

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
