import AppStoreModel
import LedgerServer

/// Ends a debt or a freeze.
struct CustomersForgiveCommand: Command {
  private let customer = CustomerOperand.operand
  private let debt = Operand<String>.required(
    "DEBT", "The debt, as 'customers balances' shows it.")
  private let reason = Option<String>.required("reason", "TEXT", "Why, for the records.")

  var usage: Usage {
    Usage(
      "customers forgive", "End a customer's debt or freeze; what was paid stays paid.",
      operands: [customer, debt], options: Reach.options + [reason, Option<Bool>.json],
      example: "clawback customers forgive user-1 debt_1 --reason goodwill",
      exitCodes: [(.success, "It ended."), (.failure, "The customer has no such debt.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Reach(arguments).ask(
      "POST", "customers", arguments[customer], "debts", arguments[debt], "forgive",
      body: [.init("reason", .string(arguments[reason]))])
    return console.tell(
      answer, asJSON: arguments[Option<Bool>.json], done: "Forgave \(arguments[debt]).",
      before: "It was forgiven before.")
  }
}
