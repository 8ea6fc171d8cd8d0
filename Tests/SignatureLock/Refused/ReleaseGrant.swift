import EntitlementKit

// A release build has no way to grant without a transaction.
// The compiler says: has no member 'pretend'
func grant(_ entitlements: Entitlements) { entitlements.pretend("pro", isEntitled: true) }
