import AppStoreModel

extension Chain {
  /// Whether a REFUND or REVOKE without a date still denies the transaction.
  ///
  /// Lifted by a reversal not before it, by any copy from Apple's API that is not too early, or by
  /// a revocation with a date that it can have meant: not after it, nor undone before it. Of those
  /// the transaction's own are given.
  func isRevokedWithoutDate(
    _ transactionId: String, _ known: ArraySlice<RevocationAnswer>
  ) -> Bool {
    guard let dates = undatedRevocations[transactionId] else { return false }
    let state = transactions[transactionId]
    return dates.values.contains { date in
      let isReversed = reversals[transactionId]?.values.contains { $0 >= date } ?? false
      let asked = state?.newestFromAPI.map { $0.signedDate >= date.adding(StatusEntry.lag) }
      let isDated = known.contains {
        $0.key.revocationDate <= date && ($0.reversedAt ?? date) >= date
      }
      return !isReversed && !(asked ?? false) && !isDated
    }
  }
}
