package import AppStoreModel
import EntitlementLedger

extension Ledger {
  /// Keeps an API key; completes with whether its name was free.
  package func addKey(_ key: StoredKey, completion: @escaping Completion<Bool>) {
    write(completion) { (recorder) throws(StoreError) in try recorder.add(key) }
  }

  /// Ends an API key; completes with whether there was a good one of that name.
  package func revokeKey(
    _ name: String, now: Timestamp, completion: @escaping Completion<Bool>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.revokeKey(name, now: now)
    }
  }

  /// Keeps what could not be taken; completes with whether it was not there already.
  package func quarantine(_ item: QuarantinedItem, completion: @escaping Completion<Bool>) {
    write(completion) { (recorder) throws(StoreError) in try recorder.quarantine(item) }
  }

  /// Writes what changes nothing: completes with why nothing can be kept.
  package func touch(completion: @escaping Completion<Void>) {
    write(completion) { (recorder) throws(StoreError) in try recorder.touch() }
  }

  /// Lets a quarantined item go; completes with whether it was there.
  package func dropQuarantined(sha256: [UInt8], completion: @escaping Completion<Bool>) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.dropQuarantined(sha256: sha256)
    }
  }
}

extension LedgerReader {
  /// All keys, revoked ones included, by name.
  package func keys() throws(StoreError) -> [StoredKey] {
    try read { (recorder) throws(StoreError) in try recorder.keys() }
  }

  /// Everything that was known and told of a customer, oldest first.
  package func timeline(
    of customer: CustomerKey, after place: TimelineEntry.Place = .start, limit: Int
  ) throws(StoreError) -> [TimelineEntry] {
    try read { (recorder) throws(StoreError) in
      try recorder.timeline(of: customer, after: place, limit: limit)
    }
  }

  /// What could not be taken, in order of arrival.
  package func quarantined(
    after position: Int64 = 0, limit: Int
  ) throws(StoreError) -> [(position: Int64, item: QuarantinedItem)] {
    try read { (recorder) throws(StoreError) in
      try recorder.quarantined(after: position, limit: limit)
    }
  }

  package func counts() throws(StoreError) -> LedgerCounts {
    try read { (recorder) throws(StoreError) in try recorder.counts() }
  }
}
