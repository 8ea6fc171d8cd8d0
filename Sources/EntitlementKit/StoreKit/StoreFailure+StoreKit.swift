import StoreKit

extension StoreFailure {
  /// Names what StoreKit threw.
  init(_ error: any Error) {
    guard let error = error as? StoreKitError else {
      self = .other("\(type(of: error))")
      return
    }
    switch error {
    case .networkError: self = .offline
    case .userCancelled: self = .cancelled
    // The other cases came with later systems, and none of them says more.
    default: self = .other("another error of StoreKit")
    }
  }
}
