package import AppStoreModel
package import EntitlementLedger

/// News as it waits to be fetched or sent: at its place, with the whole new state.
package struct StoredEvent: Hashable, Sendable {
  /// Grows; a reader that asks for what comes after a position misses nothing.
  package let position: Int64
  /// Tells this event from one that another ledger, or a restored one, has at the same position.
  let mark: String
  /// An ``EventType``, unless another version wrote it.
  package let type: String
  package let scope: Scope
  /// `nil` for a refund of a purchase that nobody owns.
  package let customer: CustomerID?
  /// The customer's version at which the state holds.
  package let version: Int64
  /// JSON: the new decision, refund or case.
  package let payload: String
  /// JSON: the facts that caused it; none for what time alone brought.
  package let causes: String
  package let happenedAt: Timestamp

  /// The same for every reader, channel and attempt.
  package var id: EventID { EventID(position: position, mark: mark) }

  /// The endpoint that it tells of; `nil` for news of customers and purchases.
  package var endpoint: String? {
    guard let type = EventType(rawValue: type), type.isAboutEndpoint else { return nil }
    let state = try? JSONValue(json: Array(payload.utf8))
    return state?["webhook"]?["id"]?.string
  }
}
