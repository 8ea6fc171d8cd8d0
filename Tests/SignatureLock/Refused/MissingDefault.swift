import StoreKit

// Apple may add a result: without `@unknown default` this must not compile.
// The compiler says: 'Product.PurchaseResult' may have additional unknown values
func word(_ result: Product.PurchaseResult) -> String {
  switch result {
  case .success: "success"
  case .userCancelled: "cancelled"
  case .pending: "pending"
  }
}
