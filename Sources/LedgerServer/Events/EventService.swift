import AppStoreModel
import LedgerStorage

/// Everything about events that runs: who hands them out, who is let in, and who clears up.
final class EventService: Sendable {
  let routes: [Route]
  private let feed: EventFeed
  private let keeper: EventKeeper

  /// - Parameters:
  ///   - settings: How events are kept and streamed.
  ///   - ledger: Where they are.
  ///   - readers: Reads on the calling thread.
  ///   - keys: Whose streams end when they are revoked.
  ///   - seats: Counts the open streams.
  ///   - clock: Tells the time.
  ///   - metrics: Counts what became of streams.
  ///   - log: Is told when events cannot be let go.
  init(
    _ settings: Configuration.Events, _ ledger: Ledger, readers: ReaderPool, keys: KeyRing,
    seats: StreamSeats, clock: ServerClock, metrics: Metrics, log: Log
  ) {
    let feed = EventFeed(
      ledger, readers: readers, clock: clock, metrics: metrics, heartbeat: settings.heartbeat)
    self.feed = feed
    keys.observe { [keys] in feed.keysChanged(isGood: keys.isGood) }
    routes = EventRoutes(readers: readers, feed: feed, seats: seats, keys: keys).routes
    keeper = EventKeeper(ledger, kept: settings.kept, clock: clock) { result in
      guard case .failure(let error) = result else { return }
      log.write(LogLine(.error, "eventsNotForgotten").with("detail", error.description))
    }
  }

  func start() {
    feed.start()
    keeper.start()
  }

  /// Ends streams and waiting requests, so that the server can stop.
  func stopServing() { feed.stopServing() }

  func close() {
    feed.close()
    keeper.close()
  }
}
