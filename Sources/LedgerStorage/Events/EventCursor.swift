/// How far a reader of events has come: what it asks for next comes after that.
///
/// Shape: an event's id, or a position alone, which cannot be told from that of another ledger.
package struct EventCursor: Hashable, Sendable {
  package static let start = EventCursor(position: 0)

  package let position: Int64
  let mark: String?

  package init(position: Int64) {
    self.position = position
    mark = nil
  }

  package init(_ id: EventID) {
    position = id.position
    mark = id.mark
  }

  /// Reads what a reader presents; `nil` for anything that is no cursor.
  package init?(_ text: String) {
    if let id = EventID(text) {
      self.init(id)
    } else if let number = Int64(text), number >= 0, String(number) == text {
      self.init(position: number)
    } else {
      return nil
    }
  }

  package var text: String { mark.map { "evt_\(position)_\($0)" } ?? String(position) }
}

/// Whether a reader can go on from a cursor.
package enum CursorStanding: Hashable, Sendable {
  case good
  /// Events after it are no longer kept; `oldest` is a cursor from which everything still is.
  case expired(oldest: Int64)
  /// This ledger never told such an event: the cursor is of another ledger, or of this one before a
  /// backup was put back.
  case foreign(last: Int64)
}
