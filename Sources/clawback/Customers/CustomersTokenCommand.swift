import AppStoreModel
import LedgerServer

/// Makes an account token known as a customer's own.
struct CustomersTokenCommand: Command {
  private let customer = CustomerOperand.operand
  private let token = Operand<String>.required("TOKEN", "The appAccountToken: a UUID.")
  private let note = Option<String?>.text("note", "TEXT", "Why, for the timeline.")

  var usage: Usage {
    Usage(
      "customers token", "Register an appAccountToken as a customer's own.",
      discussion: """
        Purchases that carry the token belong to the customer from now on. Only tokens that were \
        registered can lead to debts, since an app writes into a purchase what it likes.
        """,
      operands: [customer, token], options: Reach.options + [note, Option<Bool>.json],
      example: "clawback customers token user-1 3f2504e0-4f89-41d3-9a0c-0305e82c3301",
      exitCodes: [
        (.success, "It is registered."),
        (.failure, "Another customer registered it, or it is no token."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let words = arguments[note].map { [JSONValue.Member("note", .string($0))] } ?? []
    let answer = try Reach(arguments).ask(
      "PUT", "customers", arguments[customer], "token",
      body: [.init("appAccountToken", .string(arguments[token]))] + words)
    return console.tell(
      answer, asJSON: arguments[Option<Bool>.json],
      done: "Registered the token for \(arguments[customer]).",
      before: "It was registered for \(arguments[customer]) before.")
  }
}

extension Console {
  /// Prints what `{"changed":…}` answers.
  func tell(_ answer: JSONValue, asJSON: Bool, done: String, before: String) -> ExitCode {
    if asJSON {
      print(json: answer)
    } else {
      note(answer["changed"] == .bool(true) ? done : before)
    }
    return .success
  }
}
