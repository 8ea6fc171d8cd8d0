import LedgerStorage

/// A request that waits for an event that it wants, or for its time to be over.
struct EventWait: Sendable {
  let filter: EventFilter
  let key: APIKey
  /// Unit: milliseconds of a clock that never jumps.
  let deadline: Int64
  /// Called once, on the feed's thread.
  let wake: @Sendable () -> Void

  func isOver(at now: Int64) -> Bool { now >= deadline }

  func wants(_ frames: [EventFrame]) -> Bool {
    frames.contains { filter.admits($0.event) }
  }
}
