package import AppStoreModel
package import EntitlementLedger

/// One line of a customer's history, in the order in which we learned it.
package struct TimelineEntry: Hashable, Sendable {
  /// Where it stands: what comes after a place is asked for with it.
  package struct Place: Hashable, Sendable {
    package static let start = Place(at: .distantPast, rank: 0, id: 0)

    package let at: Timestamp
    /// Facts stand before the postings and events of the same moment.
    package let rank: Int64
    package let id: Int64

    package init(at: Timestamp, rank: Int64, id: Int64) {
      self.at = at
      self.rank = rank
      self.id = id
    }
  }

  package enum Content: Hashable, Sendable {
    /// A fact, as a channel brought it.
    case sighting(Sighting)
    case posting(Posting)
    case event(StoredEvent)
  }

  /// What a channel brought.
  package struct Sighting: Hashable, Sendable {
    package let factID: Int64
    /// A `SignedRecord.Kind`, `reportedStatus` or `own`.
    package let kind: String
    package let effect: FactTable.Effect
    /// Why it has no effect, where it has none.
    package let reason: String?
    /// A `Channel`, or `own`.
    package let channel: String
    /// The latest date that was signed in it.
    package let dated: Timestamp?
    package let originalTransactionId: String?
    /// What it says, read back; `nil` for what the ledger cannot use.
    package let fact: LedgerFact?
    /// JSON, of a statement of our own.
    package let statement: String?
  }

  package let place: Place
  package let content: Content
}
