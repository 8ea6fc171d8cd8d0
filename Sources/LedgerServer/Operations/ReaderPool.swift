import Glibc
import LedgerStorage
import Synchronization

/// Gives each thread a reader of its own, made when the thread first asks.
final class ReaderPool: Sendable {
  /// A reader, touched by its thread alone.
  private final class Slot: @unchecked Sendable {
    let reader: LedgerReader

    init(_ reader: LedgerReader) {
      self.reader = reader
    }
  }

  private let ledger: Ledger
  private let slots = Mutex<[UInt: Slot]>([:])

  init(_ ledger: Ledger) {
    self.ledger = ledger
  }

  /// Reads on the calling thread's reader.
  func read<Value>(
    _ body: (LedgerReader) throws(StoreError) -> Value
  ) throws(Problem) -> Value {
    do throws(StoreError) {
      return try body(try reader())
    } catch {
      throw Problem(error)
    }
  }

  private func reader() throws(StoreError) -> LedgerReader {
    let thread = UInt(pthread_self())
    if let slot = slots.withLock({ $0[thread] }) { return slot.reader }
    let slot = Slot(try ledger.makeReader())
    slots.withLock { $0[thread] = slot }
    return slot.reader
  }

  /// Lets every reader go; no thread may read any more.
  func close() {
    slots.withLock { $0 = [:] }
  }
}
