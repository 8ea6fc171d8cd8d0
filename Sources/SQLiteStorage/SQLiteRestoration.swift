package import AppStoreModel
import Glibc
package import LedgerStorage

/// Makes a ledger again from a copy of it, as one that goes on after what the lost one told.
package struct SQLiteRestoration {
  private let source: String
  private let target: String

  /// - Parameters:
  ///   - source: A ledger's file, such as a backup.
  ///   - target: A path where nothing is.
  package init(of source: String, to target: String) {
    self.source = source
    self.target = target
  }

  /// Writes the ledger and has it on the disk when this returns.
  ///
  /// - Returns: How many facts it holds.
  /// - Throws: ``StoreOpeningError``; nothing is at the target then that was not there before.
  package func write(now: Timestamp) throws(StoreOpeningError) -> Int64 {
    let facts = try SQLiteCopy(of: source, to: target).write()
    do throws(StoreOpeningError) {
      try goOn(now)
    } catch {
      for suffix in ["", "-wal", "-shm"] { unlink(target + suffix) }
      throw error
    }
    return facts
  }

  private func goOn(_ now: Timestamp) throws(StoreOpeningError) {
    let store = try SQLiteStore(.file(path: target), realm: try realm(), now: now)
    defer { store.close() }
    let ledger = Ledger(store: store)
    do throws(StoreError) {
      _ = try ledger.wait { completion in
        ledger.write(completion) { (recorder) throws(StoreError) in
          try recorder.raiseVersions(now: now)
        }
      }
    } catch {
      throw .uncopied(to: target, detail: error.description)
    }
  }

  private func realm() throws(StoreOpeningError) -> Realm {
    let connection: SQLiteConnection
    do throws(SQLiteFailure) {
      connection = try SQLiteConnection(path: target, mode: .readOnly)
    } catch {
      throw error.openingError
    }
    let text: String?
    do throws(StoreError) {
      text = try connection.first(Self.stamped, []) { $0.text(0) } ?? nil
    } catch {
      throw .notALedger(detail: error.description)
    }
    guard let realm = text.flatMap({ Realm($0) }) else {
      throw .notALedger(detail: "it has no realm")
    }
    return realm
  }

  private static let stamped = SQLStatement("SELECT realm FROM store_identity")
}
