import EntitlementKit

// The kit's one import brings what its own declarations speak of, and no name of the ledger's.
// The compiler says: cannot find type 'Policy' in scope
func brought(_ length: TimeSpan, _ kind: RevocationClass, _ share: RevokedShare) {}
func leaked(_ policy: Policy) {}
