import AppStoreModel
import AppStoreVerification
import LedgerServer
import LedgerStorage
import SQLiteStorage

/// Opens the ledger that a configuration names.
enum OpenedLedger {
  /// Where a database's server listens for commands: beside the file.
  static func socketPath(of configuration: Configuration) throws(CommandFailure) -> String? {
    if let path = configuration.socketPath { return path }
    guard case .file(let path) = try address(configuration) else { return nil }
    return path + ".socket"
  }

  /// Errors: ``CommandFailure`` with the store's own advice.
  static func open(
    _ configuration: Configuration, socketPath: String?
  ) throws(CommandFailure) -> SQLiteStore {
    let realm = try root(configuration)
    let address = try address(configuration)
    do throws(StoreOpeningError) {
      return try SQLiteStore(address, realm: realm, socketPath: socketPath, now: WallClock.now)
    } catch {
      throw CommandFailure("\(error).", advice: error.advice)
    }
  }

  static func address(_ configuration: Configuration) throws(CommandFailure) -> SQLiteAddress {
    do throws(StoreOpeningError) {
      return try SQLiteAddress(configuration.database).resolved()
    } catch {
      throw CommandFailure("\(error).", advice: error.advice, code: .unusable)
    }
  }

  private static func root(_ configuration: Configuration) throws(CommandFailure) -> Realm {
    do throws(ServiceError) {
      return try configuration.trustedRoot().realm
    } catch {
      throw CommandFailure("\(error).", advice: error.advice, code: .unusable)
    }
  }
}
