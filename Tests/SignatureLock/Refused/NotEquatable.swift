import StoreKit

// Apple's has no `==`, so ours must have none.
func isSame(_ left: Product.PurchaseResult, _ right: Product.PurchaseResult) -> Bool {
  left == right
}
