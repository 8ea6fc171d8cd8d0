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
      return try SQLiteStore(
        address, realm: realm, socketPath: socketPath, command: CommandList.running,
        now: WallClock.now)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Opens a ledger that is there, and makes none.
  static func openExisting(_ configuration: Configuration) throws(CommandFailure) -> SQLiteStore {
    let address = try address(configuration)
    guard case .file(let path) = address else {
      throw CommandFailure(
        "The configuration keeps the ledger in memory, and no server runs that has one.",
        advice: "Start the server first.", code: .unusable)
    }
    guard address.exists else {
      throw CommandFailure(
        "There is no ledger at \(path), and no server runs that has one.",
        advice:
          "'clawback serve' and 'clawback init' make one; compare 'database' in the configuration.",
        code: .unusable)
    }
    return try open(configuration, socketPath: nil)
  }

  static func address(_ configuration: Configuration) throws(CommandFailure) -> SQLiteAddress {
    do throws(StoreOpeningError) {
      return try SQLiteAddress(configuration.database).resolved()
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func root(_ configuration: Configuration) throws(CommandFailure) -> Realm {
    do throws(ServiceError) {
      return try configuration.trustedRoot().realm
    } catch {
      throw CommandFailure(error)
    }
  }
}
