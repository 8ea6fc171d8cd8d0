import LedgerServer
import LedgerStorage
import SQLiteStorage

/// Puts a backup in the place of a ledger that is gone.
struct RestoreCommand: Command {
  private let source = Operand<String>.required("FROM", "A file that 'clawback backup' wrote.")
  private let config = ConfigurationFile.option
  private let database = Option<String?>.text(
    "database", "URL", "Where the ledger is to be, in place of the configuration's: sqlite:PATH.")

  var usage: Usage {
    Usage(
      "restore", "Make the ledger again from a backup, where none is.",
      discussion: """
        Nothing is overwritten: move a damaged ledger away first, with what lies beside it. What Apple \
        said since the backup is asked for again by 'clawback reconcile', or by the server itself. \
        Versions of customers go on above all that was told before, so that no reader of events takes \
        what is new for old: put back every copy of a ledger with this command.
        """,
      operands: [source], options: [config, database, Option<Bool>.json],
      example: "clawback restore ledger-monday.db",
      exitCodes: [
        (.success, "The ledger is there again."), (.unusable, "It is not, for the reason shown."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let target = try LedgerFile.path(arguments[database], arguments[config])
    let result = try LedgerCopyResult(puttingBack: arguments[source], to: target)
    try result.tell(asJSON: arguments[Option<Bool>.json], on: console)
    return .success
  }
}
