import AppStoreModel
import LedgerStorage
import SQLiteStorage

/// Opens the ledger at an address, in the realm of a root.
enum LedgerOpening {
  /// Opens it for writing; answers that other rules made become due again.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``; the database is left as it was.
  static func open(
    _ address: String, realm: Realm, rules: LedgerRules = .standard, now: Timestamp
  ) throws(CommandFailure) -> Ledger {
    let ledger = Ledger(store: try store(address, realm, now), rules: rules)
    do throws(StoreError) {
      _ = try ledger.wait { ledger.adoptRules(now: now, completion: $0) }
      return ledger
    } catch {
      ledger.store.close()
      throw CommandFailure("\(address) cannot be used: \(error)", advice: error.advice)
    }
  }

  static func address(_ text: String) throws(CommandFailure) -> SQLiteAddress {
    do throws(StoreOpeningError) {
      return try SQLiteAddress(text).resolved()
    } catch {
      throw CommandFailure(
        "\(text) cannot be used: \(error)", advice: error.advice, code: .unusable)
    }
  }

  /// A greater log writes each page of an archive fewer times.
  private static let archive = SQLiteSettings(checkpointPages: 16_000)

  private static func store(
    _ address: String, _ realm: Realm, _ now: Timestamp
  ) throws(CommandFailure) -> SQLiteStore {
    do throws(StoreOpeningError) {
      return try SQLiteStore(
        try SQLiteAddress(address), realm: realm, command: CommandList.running,
        settings: archive, now: now)
    } catch {
      throw CommandFailure(
        "\(address) cannot be used: \(error)", advice: error.advice, code: .unusable)
    }
  }
}
