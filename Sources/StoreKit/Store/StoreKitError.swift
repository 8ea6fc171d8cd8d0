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
