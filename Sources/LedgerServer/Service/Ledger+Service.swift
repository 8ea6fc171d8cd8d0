import AppStoreModel
import LedgerStorage

extension Ledger {
  /// Brings what is stored in line with the configuration that is served from now on.
  ///
  /// - Returns: The keys that are good.
  func prepareForService(
    _ configuration: Configuration, _ clock: ServerClock
  ) throws(ServiceError) -> KeyRing {
    do throws(StoreError) {
      _ = try wait { adoptRules(now: clock.now(), completion: $0) }
      resume(now: clock.now())
      try forward(to: configuration.forwarding.map(\.url), now: clock.now())
      return KeyRing(try makeReader().keys().compactMap { APIKey($0) })
    } catch {
      throw .store(detail: error.description, advice: error.advice)
    }
  }

  /// Goes on with what was cut off; on a full disk that waits for another start, and the server does not.
  private func resume(now: Timestamp) {
    // Consumables that were bought before the catalog gave them an amount fill their lots now.
    _ = try? wait { fillLots(now: now, completion: $0) }
    // Only one process writes to a store: whoever held a lease of it has ended.
    _ = try? wait { completion in
      write(completion) { (recorder) throws(StoreError) in try recorder.dropLeases() }
    }
  }

  /// Finds out now, and not by somebody's notification, whether the store keeps anything: until it does
  /// the server answers what it knows and is not ready.
  func noteUnwritable(_ log: Log) {
    do throws(StoreError) {
      try wait { touch(completion: $0) }
    } catch {
      log.write(
        LogLine(.error, "storeUnwritable").with("detail", error.description)
          .with("advice", error.advice))
    }
  }

  /// Makes the destinations that are named for forwarding, and lets others go.
  private func forward(to targets: [String], now: Timestamp) throws(StoreError) {
    try wait { completion in
      write(completion) { (recorder) throws(StoreError) in
        try recorder.forward(to: targets, now: now)
      }
    }
  }
}
