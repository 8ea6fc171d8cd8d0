package import AppStoreModel

/// Why a store could not be opened; it is left as it was.
package enum StoreOpeningError: Error, Hashable, Sendable {
  /// The address is none of a store that we have.
  case unknownAddress(String)
  /// Another process writes to it.
  case lockedByAnother(LockHolder?)
  /// There is a file, but not one that can be opened.
  case unreadable(detail: String)
  /// A copy of it cannot be written; the store itself is sound.
  case uncopied(to: String, detail: String)
  /// Something is where a copy was to be written, which is never overwritten.
  case occupied(path: String)
  /// The folder is not there that a copy was to be written to.
  case noFolder(path: String)
  /// The file is something else, or damaged.
  case notALedger(detail: String)
  /// The file was a ledger and holds nothing any more: it was cut off, or another took its place.
  case emptied(path: String)
  /// It was made for another root of trust.
  case otherRealm(stored: Realm, asked: Realm)
  /// It was written by a newer version of this program.
  case newer(migration: String)
}

/// The process that has a store's lock.
package struct LockHolder: Hashable, Sendable {
  package let processID: Int32
  /// Where it takes operations commands, if it does.
  package let socketPath: String?
  /// What it runs, as its user wrote it: `serve`, `reconcile`; absent where it does not say.
  package let command: String?

  package init(processID: Int32, socketPath: String?, command: String? = nil) {
    self.processID = processID
    self.socketPath = socketPath
    self.command = command
  }

  /// Shape: a few words that begin a sentence or stand in one.
  var name: String {
    command.map { "'clawback \($0)' (process \(processID))" } ?? "process \(processID)"
  }
}

extension StoreOpeningError {
  package var isTransient: Bool {
    switch self {
    case .lockedByAnother: true
    default: false
    }
  }

  /// What the operator should do next.
  package var advice: String {
    switch self {
    case .unknownAddress: "Write sqlite:PATH, or sqlite::memory: for a ledger that leaves nothing."
    case .lockedByAnother(let holder?) where holder.socketPath != nil:
      "Only one process may write to the file. Ask this one, with a configuration that has its socket, "
        + "wait for its end, or stop it."
    case .lockedByAnother:
      "Only one process may write to the file: wait for its end, or stop it first."
    case .unreadable: "Look at the path and at who may read and write it."
    case .uncopied: "Free space there, or name another place; the ledger is as it was."
    case .occupied:
      "Name a path where nothing is. To put a backup in a ledger's place, stop the server and move the "
        + "ledger away first, with -wal, -shm and -journal beside it."
    case .noFolder: "Make the folder first, or name one that is there."
    case .notALedger: "Check the path; if it is right, restore the last backup."
    case .emptied(let path):
      "Restore the last backup. To begin anew on purpose, remove \(path) and what lies beside it: "
        + "-wal, -shm and .lock."
    case .otherRealm: "Use a database of its own for each root of trust."
    case .newer: "Use the version of this program that wrote it, or a later one."
    }
  }
}

extension StoreOpeningError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownAddress(let address): "\"\(address)\" is not the address of a store"
    case .lockedByAnother(let holder?) where holder.socketPath != nil:
      "\(holder.name) writes to this database; it listens at \(holder.socketPath ?? "")"
    case .lockedByAnother(let holder?): "\(holder.name) writes to this database"
    case .lockedByAnother(nil): "another process writes to this database"
    case .unreadable(let detail): "the database cannot be opened: \(detail)"
    case .uncopied(let path, let detail): "the copy at \(path) cannot be written: \(detail)"
    case .occupied(let path): "nothing is written: \(path) is there"
    case .noFolder(let path): "nothing is written: there is no folder for \(path)"
    case .notALedger(let detail): "the file is not a ledger: \(detail)"
    case .emptied(let path): "\(path) was a ledger, and is empty"
    case .otherRealm(let stored, let asked):
      "the database belongs to the realm \(stored), not to \(asked)"
    case .newer(let migration): "the database has a migration of a newer version: \(migration)"
    }
  }
}
