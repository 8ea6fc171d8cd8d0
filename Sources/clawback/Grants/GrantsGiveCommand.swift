import AppStoreModel
import LedgerServer

/// Gives a customer access by hand.
struct GrantsGiveCommand: Command {
  private let customer = CustomerOperand.operand
  private let entitlement = Operand<String>.required("ENTITLEMENT", "What is given.")
  private let reason = Option<String>.required("reason", "TEXT", "Why, for the timeline.")
  private let from = Option<String?>.text("from", "TIME", "When it begins. Default: now.")
  private let until = Option<String?>.text(
    "until", "TIME", "When it ends. Default: when it is taken back.")

  var usage: Usage {
    Usage(
      "grants give", "Give a customer access by hand: goodwill, support.",
      operands: [customer, entitlement],
      options: Reach.options + [reason, from, until, Option<Bool>.json],
      example: "clawback grants give user-1 pro --reason goodwill --until 2099-12-31",
      exitCodes: [(.success, "It was given."), (.failure, "It was not, for the reason shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    var body: [JSONValue.Member] = [
      .init("entitlement", .string(arguments[entitlement])),
      .init("reason", .string(arguments[reason])),
    ]
    for (name, option) in [("from", from), ("until", until)] {
      guard let text = arguments[option] else { continue }
      let moment = try Moment.read(text, for: option.name)
      body.append(.init(name + "Ms", .integer(moment.millisecondsSince1970)))
    }
    let answer = try Reach(arguments).ask(
      "POST", "customers", arguments[customer], "grants", body: body)
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
    } else {
      console.note("Gave \(arguments[entitlement]) to \(arguments[customer]). The grant's name:")
      console.print(answer["grant"]?["id"]?.string ?? "")
    }
    return .success
  }
}
