import EntitlementLedger

/// What one chain says of one entitlement: how strongly, not why.
struct Claim: Hashable {
  let chainID: Int64
  let originalTransactionId: String
  let entitlement: String
  let strength: DecisionStrength
}

extension Claim {
  /// What a chain says by its answer.
  static func all(of answer: ChainAnswer, chainID: Int64) -> [Claim] {
    answer.decisions.map { decision in
      Claim(
        chainID: chainID, originalTransactionId: answer.key.originalTransactionId,
        entitlement: decision.entitlement, strength: decision.strength)
    }
  }
}
