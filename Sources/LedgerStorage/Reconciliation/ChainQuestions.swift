package import AppStoreModel
package import EntitlementLedger

/// What Apple is asked about one chain.
package struct ChainQuestions: Hashable, Sendable {
  package let key: ChainKey
  /// Those whose transaction info is asked for, the one bought last first.
  package let transactionIds: [String]
  /// Whether the subscription statuses are asked for too.
  package let asksStatuses: Bool

  /// Chooses what to ask.
  ///
  /// A doubtful chain is asked about as a whole. Else what can still change is enough: the newest
  /// purchase, what may still be refunded, and what stands revoked; and of that only what Apple's API
  /// has not told since `begun`.
  package init(
    _ chain: Chain, rank: QuestionRank, since begun: Timestamp = .distantFuture, at now: Timestamp
  ) {
    key = chain.key
    let copies = chain.transactions.values.map(\.newest).sorted(by: ChainQuestions.isNewer)
    let revoked = Set(
      chain.revocationAnswers().filter(\.stands).map(\.key.transactionId)
        + chain.undatedRevocations.keys)
    let asked = copies.enumerated().filter { index, copy in
      rank == .doubt || index == 0 || revoked.contains(copy.transactionId)
        || copy.purchaseDate > now.subtracting(ChainConcern.youth)
    }.map(\.element.transactionId)
    let left = asked.filter { id in
      chain.transactions[id]?.newestFromAPI.map { $0.signedDate < begun } ?? true
    }
    transactionIds = copies.isEmpty ? [chain.key.originalTransactionId] : left
    let isSubscription = chain.renewal != nil || copies.contains(where: \.isSubscription)
    asksStatuses =
      isSubscription
      && !chain.statuses.values.contains { $0.source == .api && $0.date >= begun }
  }

  package var isEmpty: Bool { calls == 0 }

  /// How many calls it takes.
  package var calls: Int { transactionIds.count + (asksStatuses ? 1 : 0) }

  private static func isNewer(_ left: TransactionCopy, _ right: TransactionCopy) -> Bool {
    left.purchaseDate == right.purchaseDate
      ? left.transactionId > right.transactionId : left.purchaseDate > right.purchaseDate
  }
}
