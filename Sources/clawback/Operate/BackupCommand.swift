import LedgerServer
import LedgerStorage
import SQLiteStorage

/// Copies a ledger, also while a server writes to it.
struct BackupCommand: Command {
  private let target = Operand<String>.required("TO", "The file to write; nothing may be there.")
  private let config = ConfigurationFile.option
  private let database = Option<String?>.text(
    "database", "URL", "The ledger, in place of the configuration's: sqlite:PATH.")

  var usage: Usage {
    Usage(
      "backup", "Write a whole, consistent copy of the ledger, also while the server runs.",
      discussion: """
        The copy is of one moment: everything that was acknowledged before it began is in it. It is \
        on the disk when the command ends. The server goes on meanwhile; its log grows until then.
        """,
      operands: [target], options: [config, database, Option<Bool>.json],
      example: "clawback backup ledger-monday.db",
      exitCodes: [
        (.success, "The copy was written."), (.unusable, "It was not, for the reason shown."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let source = try LedgerFile.path(arguments[database], arguments[config])
    let result = try LedgerCopyResult(from: source, to: arguments[target])
    try result.tell(asJSON: arguments[Option<Bool>.json], on: console)
    return .success
  }
}
