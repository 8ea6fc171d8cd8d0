import AppStoreModel

/// A customer's chains, each kept by a naive ledger.
struct NaiveCustomer {
  var chains: [NaiveLedger]
  var term: TimeSpan?

  init(_ statements: [Statement], term: TimeSpan? = nil) {
    let originals = Set(statements.compactMap { $0.copy?.original })
    chains = originals.sorted().map { NaiveLedger(statements, chain: $0) }
    self.term = term
  }

  /// Rule 8: the union over the chains.
  func isGranted(at now: Timestamp) -> Bool {
    chains.contains { $0.decision(at: now, term: term).isGranted }
  }

  /// The amounts that went back and stayed back, one for each transaction that has any.
  var debits: [Int64] {
    chains.flatMap { chain in chain.transactionIds.compactMap(chain.netRefund) }.filter { $0 != 0 }
  }
}
