package import AppStoreModel

/// One call of the API as the simulated App Store noted it.
package struct JournalEntry: Hashable, Sendable {
  package let endpoint: APIEndpoint
  package let environment: AppStoreEnvironment
  /// What stands in the path; empty for an endpoint that takes nothing there.
  package let id: String
  /// The page that was asked for, by its token or revision; absent for the first.
  package let page: String?
  /// Of the answer; 0 where none was sent.
  package let status: Int
  /// By the store's clock.
  package let date: Timestamp
}

/// The calls of late, oldest first.
package struct Journal: Sendable {
  private static let kept = 10_000

  package private(set) var entries: [JournalEntry] = []

  mutating func add(_ entry: JournalEntry) {
    // Thrown away by halves, so that a long life costs no more than a short one.
    if entries.count >= 2 * Self.kept { entries.removeFirst(Self.kept) }
    entries.append(entry)
  }
}
