import LedgerServer
import LedgerStorage
import SQLiteStorage

/// The file that a ledger is in.
enum LedgerFile {
  /// The path of the address stated, or else of the configuration's.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``, also for a ledger in memory.
  static func path(_ address: String?, _ configuration: String) throws(CommandFailure) -> String {
    var stated = address ?? ""
    if address == nil { stated = try ConfigurationFile.read(configuration).database }
    let place: SQLiteAddress
    do throws(StoreOpeningError) {
      place = try SQLiteAddress(stated).resolved()
    } catch {
      throw CommandFailure(error)
    }
    guard case .file(let path) = place else {
      throw CommandFailure("A ledger in memory has no file.", code: .unusable)
    }
    return path
  }
}

/// What a copy was made of, as `docs/contracts/commands.md` describes it.
struct LedgerCopyResult: Encodable {
  let from: String
  let to: String
  let facts: Int64

  /// Makes the copy.
  init(from source: String, to target: String) throws(CommandFailure) {
    from = source
    to = target
    do throws(StoreOpeningError) {
      facts = try SQLiteCopy(of: source, to: target).write()
    } catch {
      guard case .notALedger = error else { throw CommandFailure(error) }
      throw CommandFailure(
        "\(source): \(error)",
        advice: "Name the file of a ledger, or one that 'clawback backup' wrote.", code: .unusable)
    }
  }

  /// Makes the ledger again from a copy, to go on after what the lost one told.
  init(puttingBack source: String, to target: String) throws(CommandFailure) {
    from = source
    to = target
    do throws(StoreOpeningError) {
      facts = try SQLiteRestoration(of: source, to: target).write(now: WallClock.now)
    } catch {
      throw CommandFailure(error)
    }
  }

  func tell(asJSON: Bool, on console: Console) throws {
    if asJSON {
      try console.print(json: self)
    } else {
      console.print("\(facts) facts, from \(from) to \(to)")
    }
  }
}
