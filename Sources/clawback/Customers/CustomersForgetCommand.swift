import AppStoreModel
import LedgerServer

/// Forgets who a customer was.
struct CustomersForgetCommand: Command {
  private let customer = CustomerOperand.operand

  var usage: Usage {
    Usage(
      "customers forget", "Forget who a customer was; what was bought and spent stays.",
      discussion: """
        Links, tokens, consent, grants, what spend was for and the bodies of facts go, and cannot be \
        had back; decisions and money stay, of nobody. Open holds are revoked. Backups that were made \
        before still know the customer.
        """,
      operands: [customer], options: Reach.options + [Option<Bool>.json],
      example: "clawback customers forget user-1",
      exitCodes: [
        (.success, "The customer is forgotten, or was not known."),
        (.failure, "It was not done, for the reason shown."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let reach = try Reach(arguments)
    let answer = try reach.ask("DELETE", "customers", arguments[customer])
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
      return .success
    }
    guard answer["changed"] == .bool(true) else {
      console.note(
        "Nobody is known as \(arguments[customer]) in \(reach.app) \(reach.environment).")
      return .success
    }
    func count(_ name: String) -> Int64 { answer[name]?.integer ?? 0 }
    console.note(
      "Forgot \(arguments[customer]) in \(reach.app) \(reach.environment): purchases without an "
        + "owner \(count("purchases")), facts without a body \(count("facts")), events without a "
        + "name \(count("events")).")
    return .success
  }
}
