import LedgerStorage

/// An event as the stream sends it, written once for all its readers.
///
/// Shape: `id` and `data`, without `event`: a reader gets every type in one place, also those that later
/// versions add.
///
/// Source: the HTML standard, section 9.2 (server-sent events).
struct EventFrame: Sendable {
  let event: StoredEvent
  let bytes: [UInt8]

  init(_ event: StoredEvent) {
    self.event = event
    bytes = Array("id: \(event.id.text)\ndata: ".utf8) + event.json + Array("\n\n".utf8)
  }

  /// The first thing on a stream: how long to wait before connecting again, and where it stands.
  static func opening(at cursor: EventCursor, retryMilliseconds: Int64) -> [UInt8] {
    Array("retry: \(retryMilliseconds)\nid: \(cursor.text)\n: connected\n\n".utf8)
  }

  /// Shows that the connection lives, and moves the reader's cursor past what its filter left out.
  static func heartbeat(at cursor: EventCursor) -> [UInt8] {
    Array("id: \(cursor.text)\n: heartbeat\n\n".utf8)
  }

  static func goodbye(_ reason: String) -> [UInt8] {
    Array(": \(reason)\n\n".utf8)
  }
}
