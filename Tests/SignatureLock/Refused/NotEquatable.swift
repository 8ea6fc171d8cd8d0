import StoreKit

// Apple's has no `==`, so ours must have none.
// The compiler says: binary operator '==' cannot be applied
func isSame(_ left: Product.PurchaseResult, _ right: Product.PurchaseResult) -> Bool {
  left == right
}
