package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// A chain by its row, and whether it is doubtful.
  package func chainInDoubt(
    _ chainID: Int64, at now: Timestamp
  ) throws(StoreError) -> (chain: Chain, isDoubtful: Bool)? {
    guard let stored = try chains.find(id: chainID) else { return nil }
    return (stored.chain, rules.answer(stored.chain, at: now).isDoubtful)
  }

  /// Stores what Apple answered about a chain, and notes when it is asked about again.
  ///
  /// Only what is signed changes anything: that Apple did not know a transaction, or did not answer,
  /// takes nothing from anybody.
  package func takeAnswers(
    _ deliveries: [Delivery], about chainID: Int64, _ rank: QuestionRank,
    _ outcome: ChainQuestion.Outcome, tries: Int64, at now: Timestamp
  ) throws(StoreError) {
    for delivery in deliveries { _ = try record(delivery) }
    guard let (chain, isDoubtful) = try chainInDoubt(chainID, at: now) else { return }
    let concern: ChainConcern?
    switch outcome {
    case .failed: concern = ChainConcern(failed: rank, tries: tries, at: now)
    case .notFound where rank != .rest:
      concern = ChainConcern(failed: rank, tries: tries, at: now)
    case .answered, .notFound:
      concern = ChainConcern(answered: chain, isDoubtful: isDoubtful, tries: tries, at: now)
    }
    let counted = concern?.rank == rank ? tries : 0
    try settleQuestion(chainID, concern, outcome, tries: counted, at: now)
  }

  /// Ends every lease: to be called by the one process that may write, once it has opened the store.
  package func dropLeases() throws(StoreError) {
    try session.run(Self.deleteLeases, [])
  }

  private static let deleteLeases = SQLStatement("DELETE FROM leases")
}
