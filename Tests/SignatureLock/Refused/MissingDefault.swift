import StoreKit

// Apple may add a result: without `@unknown default` this must not compile.
func word(_ result: Product.PurchaseResult) -> String {
  switch result {
  case .success: "success"
  case .userCancelled: "cancelled"
  case .pending: "pending"
  }
}
