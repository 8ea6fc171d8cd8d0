import AppStoreModel
import EntitlementLedger

/// How a customer's answer differs from the stored one: only what had to be computed anew.
struct AnswerRevision {
  /// A chain that was looked at again.
  struct Reading {
    let stored: StoredChain
    /// What it says now; `nil` where the customer has it no longer.
    let answer: ChainAnswer?
    let claimsBefore: [Claim]
  }

  /// Whether every chain was read, so that `after` is all that the customer has.
  let isWhole: Bool
  let readings: [Reading]
  /// What was stored about the entitlements that the readings or a grant speak of; about no other
  /// can anything have changed.
  let before: [Decision]
  /// What holds about the same entitlements.
  let after: [Decision]
  /// The earliest later moment at which the whole answer changes without another fact.
  let nextChange: Timestamp?
  /// From when on the claims of all the customer's chains hold, with these readings.
  let claimsHoldSince: Timestamp
}

extension AnswerRevision {
  /// The readings of chains that the customer has.
  var answers: [ChainAnswer] { readings.compactMap(\.answer) }

  func answer(of chainID: Int64) -> ChainAnswer? {
    readings.first { $0.stored.id == chainID }?.answer
  }
}

extension AnswerRevision.Reading {
  var claims: [Claim] {
    answer.map { Claim.all(of: $0, chainID: stored.id) } ?? []
  }
}
