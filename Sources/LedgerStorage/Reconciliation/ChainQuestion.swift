package import AppStoreModel

/// A chain that waits to be asked about.
package struct ChainQuestion: Hashable, Sendable {
  package enum Outcome: String, Hashable, Sendable {
    case answered, notFound, failed
  }

  package let chainID: Int64
  package let rank: QuestionRank
  package let due: Timestamp
  /// How often it was asked about since it last was at peace.
  package let tries: Int64

  package init(chainID: Int64, rank: QuestionRank, due: Timestamp, tries: Int64 = 0) {
    self.chainID = chainID
    self.rank = rank
    self.due = due
    self.tries = tries
  }
}
