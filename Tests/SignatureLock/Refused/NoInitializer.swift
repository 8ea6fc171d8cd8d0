import StoreKit

// Nobody but the store makes one.
func made(_ jws: String) -> StoreKit.Transaction { StoreKit.Transaction(jws: jws) }
