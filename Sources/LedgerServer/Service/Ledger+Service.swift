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
      let isChanged = try wait { adoptRules(now: clock.now(), completion: $0) }
      if isChanged {
        // Consumables that were bought before the catalog gave them an amount fill their lots now.
        try wait { fillLots(now: clock.now(), completion: $0) }
      }
      // Only one process writes to a store: whoever held a lease of it has ended.
      try wait { completion in
        write(completion) { (recorder) throws(StoreError) in try recorder.dropLeases() }
      }
      try forward(to: configuration.forwarding.map(\.url), now: clock.now())
      return KeyRing(try makeReader().keys().compactMap { APIKey($0) })
    } catch {
      throw .store(detail: error.description, advice: error.advice)
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
