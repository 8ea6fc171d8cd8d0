import AppStoreModel

/// What many a backend does: the newest copy of each transaction, its dates, and grace.
///
/// It shows whether the lives are hard enough: a set of histories that does not deceive it proves
/// nothing about the rule.
struct PlainRule {
  let ledger: NaiveLedger

  func isGranted(at now: Timestamp) -> Bool {
    let newest = ledger.transactionIds.compactMap { ledger.newest(ledger.copies(of: $0)) }
    let isLive = newest.contains { copy in
      copy.revoked == nil && !copy.isUpgraded && copy.purchased <= now
        && now < copy.expires ?? .distantFuture
    }
    let last = newest.max { $0.purchased < $1.purchased }
    let grace = ledger.newestRenewal?.graceUntil ?? .distantPast
    return isLive || (last?.revoked == nil && now < grace)
  }
}
