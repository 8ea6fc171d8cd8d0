package import AppStoreModel

/// Everything that one look at the store brought.
package struct Reading: Sendable {
  package let startedAt: Timestamp
  /// How often the same look was repeated because it contradicted what is known.
  package let attempt: Int
  /// Whether the task was cancelled: StoreKit then answers with nothing, and says no word.
  package var isCancelled = false
  package var listed: [StoreTransaction] = []
  package var unfinished: [StoreTransaction] = []
  /// `nil` where it was not read.
  package var history: [StoreTransaction]?
  package var statuses: [StoreStatus] = []
  /// Groups whose statuses StoreKit would not tell.
  package var silentGroups: Set<String> = []
  package var app: StoreAppTransaction?

  package init(startedAt: Timestamp, attempt: Int = 0) {
    self.startedAt = startedAt
    self.attempt = attempt
  }

  /// Whether the store showed a sign of life.
  var isAlive: Bool {
    app != nil || !listed.isEmpty || !statuses.isEmpty || history?.isEmpty == false
  }

  /// Whether the item at this place of ``transactions`` waits to be finished.
  func isUnfinished(_ index: Int) -> Bool {
    (listed.count..<listed.count + unfinished.count).contains(index)
  }

  package var transactions: [StoreTransaction] {
    listed + unfinished + (history ?? []) + statuses.map(\.transaction)
  }
}

/// What became of a reading.
package enum ReadingVerdict: Hashable, Sendable {
  case accepted
  /// What it showed was taken in; what it did not show counts for nothing.
  case discarded(Discard)

  package enum Discard: Hashable, Sendable {
    case cancelled
    /// It did not show something that the store vouched for, and no evidence says why.
    case contradicts
    /// It showed nothing at all.
    case empty
  }

  /// The waits before the same look is repeated.
  package static let retryDelays: [TimeSpan] = [.seconds(1), .seconds(4), .seconds(10)]
}
