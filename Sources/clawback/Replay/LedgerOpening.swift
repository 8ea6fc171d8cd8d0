import AppStoreModel
import LedgerStorage
import SQLiteStorage

/// Opens the ledger at an address, in the realm of a root.
enum LedgerOpening {
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``; the database is left as it was.
  static func open(
    _ address: String, realm: Realm, rules: LedgerRules = .standard, now: Timestamp
  ) throws -> Ledger {
    do throws(StoreOpeningError) {
      let store = try SQLiteStore(try SQLiteAddress(address), realm: realm, now: now)
      return Ledger(store: store, rules: rules)
    } catch {
      throw CommandFailure(
        "\(address) cannot be used: \(error).", advice: error.advice, code: .unusable)
    }
  }
}
