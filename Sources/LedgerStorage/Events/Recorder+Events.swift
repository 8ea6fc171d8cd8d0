package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Looks whether everything after a cursor is still there to be read.
  package func standing(of cursor: EventCursor) throws(StoreError) -> CursorStanding {
    let last = try events.last()
    let floor = try events.floor()
    if cursor.position < floor { return .expired(oldest: floor) }
    if cursor.position > last { return .foreign(last: last) }
    guard let mark = cursor.mark, let known = try events.mark(at: cursor.position) else {
      return .good
    }
    return mark == known ? .good : .foreign(last: last)
  }

  /// The cursor after which only what is yet to come is read.
  package func lastCursor() throws(StoreError) -> EventCursor {
    let last = try events.last()
    guard let mark = try events.mark(at: last) else { return EventCursor(position: last) }
    return EventCursor(EventID(position: last, mark: mark))
  }

  /// The position up to which events are no longer kept.
  package func eventFloor() throws(StoreError) -> Int64 { try events.floor() }

  package func events(after position: Int64, limit: Int) throws(StoreError) -> [StoredEvent] {
    try events.after(position, limit: limit)
  }

  /// Lets the oldest events go, as far as they are from before a moment.
  ///
  /// - Returns: How many went; more may be left when that is `limit`.
  package func forgetEvents(before moment: Timestamp, limit: Int) throws(StoreError) -> Int {
    try events.forget(before: moment, limit: limit)
  }
}
