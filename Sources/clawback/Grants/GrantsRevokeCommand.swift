import AppStoreModel
import LedgerServer

/// Takes back what was given by hand.
struct GrantsRevokeCommand: Command {
  private let customer = CustomerOperand.operand
  private let grant = Operand<String>.required("GRANT", "The grant, as 'grants list' shows it.")
  private let reason = Option<String>.required("reason", "TEXT", "Why, for the timeline.")

  var usage: Usage {
    Usage(
      "grants revoke", "Take back access that was given by hand.",
      operands: [customer, grant], options: Reach.options + [reason, Option<Bool>.json],
      example: "clawback grants revoke user-1 grant_5f3a --reason mistake",
      exitCodes: [(.success, "It was taken back."), (.failure, "There is no such grant.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Reach(arguments).ask(
      "DELETE", "customers", arguments[customer], "grants", arguments[grant],
      body: [.init("reason", .string(arguments[reason]))])
    return console.tell(
      answer, asJSON: arguments[Option<Bool>.json], done: "Took back \(arguments[grant]).",
      before: "It was taken back before.")
  }
}
