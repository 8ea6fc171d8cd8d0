/// What an operator may tune of a SQLite ledger.
package struct SQLiteSettings: Hashable, Sendable {
  /// How many pages the write-ahead log gathers before they are moved into the database.
  ///
  /// A greater number writes each changed page fewer times, and makes the rarer pauses longer.
  package var checkpointPages: Int32
  /// Unit: KiB.
  package var writerCacheKiB: Int32
  /// Unit: KiB.
  package var readerCacheKiB: Int32
  /// How many writes may wait before further ones are refused as busy.
  package var queueCapacity: Int
  /// The database's greatest size in pages of 4 KiB; `nil` for no bound but the disk's.
  package var greatestPageCount: Int32?

  package init(
    checkpointPages: Int32 = 4_000, writerCacheKiB: Int32 = 65_536, readerCacheKiB: Int32 = 16_384,
    queueCapacity: Int = 4_096, greatestPageCount: Int32? = nil
  ) {
    self.checkpointPages = checkpointPages
    self.writerCacheKiB = writerCacheKiB
    self.readerCacheKiB = readerCacheKiB
    self.queueCapacity = queueCapacity
    self.greatestPageCount = greatestPageCount
  }
}
