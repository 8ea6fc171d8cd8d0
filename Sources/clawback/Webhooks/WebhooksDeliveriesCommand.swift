import AppStoreModel
import LedgerServer

/// Shows what was sent to an endpoint, or given up.
struct WebhooksDeliveriesCommand: Command {
  private let id = Operand<String>.required("ID", "The endpoint.")
  private let limit = Option<Int>.number("limit", in: 1...500, default: 50, "How many to show.")
  private let dead = Option<Bool>.flag("dead", "Show what was given up instead.")

  var usage: Usage {
    Usage(
      "webhooks deliveries", "Show the attempts at an endpoint, the latest first.",
      operands: [id], options: [ConfigurationFile.option, limit, dead, Option<Bool>.json],
      example: "clawback webhooks deliveries wh_5f3a --dead",
      exitCodes: [(.success, "They were shown."), (.failure, "There is no such endpoint.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Operator(arguments).ask(
      arguments[dead] ? "webhooks.deadLetters" : "webhooks.deliveries",
      [
        .init("webhook", .string(arguments[id])),
        .init("limit", .integer(Int64(arguments[limit]))),
      ])
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
      return .success
    }
    let table =
      arguments[dead]
      ? WebhookTable.deadLetters(answer["deadLetters"]?.array ?? [])
      : WebhookTable.deliveries(answer["deliveries"]?.array ?? [])
    console.print(table)
    if table.isEmpty {
      console.note(arguments[dead] ? "Nothing was given up." : "Nothing was sent to it yet.")
    }
    return .success
  }
}
