import StoreKit

// Nobody but the store makes one.
// The compiler says: 'StoreKit.Transaction' cannot be constructed
func made(_ jws: String) -> StoreKit.Transaction { StoreKit.Transaction(jws: jws) }
