/// Why a store could not do what it was asked; nothing of the request was kept.
package enum StoreError: Error, Hashable, Sendable {
  /// The store was closed.
  case closed
  /// More requests wait for the writer than it may hold.
  case busy(waiting: Int)
  /// The database file was moved or deleted while it was open.
  case unlinked
  /// The disk, or the database's allowance on it, is full.
  case full
  /// The disk or the database did not answer as it should.
  case unavailable(detail: String)
  /// The file is damaged.
  case damaged(detail: String)
  /// A constraint of the schema, or an assumption of ours about stored rows, does not hold.
  case inconsistent(detail: String)
}

extension StoreError {
  /// Whether the same request may succeed later without a change to it.
  package var isTransient: Bool {
    switch self {
    case .closed, .busy, .unlinked, .full, .unavailable: true
    case .damaged, .inconsistent: false
    }
  }

  /// What the operator should do next.
  package var advice: String {
    switch self {
    case .closed: "Start the server again."
    case .busy: "Look at the disk's flush times; the writer cannot keep up."
    case .unlinked: "Put the database file back where it was, or restart on the right one."
    case .full: "Free space on the database's disk; requests succeed again by themselves."
    case .unavailable: "Look at the disk and at the system's log; nothing was acknowledged."
    case .damaged: "Stop, keep a copy of the file, and restore the last backup."
    case .inconsistent: "Report this as a fault of ours, with the log line."
    }
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .closed: "the store is closed"
    case .busy(let waiting): "the store is busy: \(waiting) requests are waiting"
    case .unlinked: "the database file is no longer where it was opened"
    case .full: "the disk is full"
    case .unavailable(let detail): "the database is unavailable: \(detail)"
    case .damaged(let detail): "the database is damaged: \(detail)"
    case .inconsistent(let detail): "the database contradicts itself: \(detail)"
    }
  }
}
