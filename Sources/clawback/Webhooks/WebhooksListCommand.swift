import AppStoreModel
import LedgerServer

/// Lists endpoints and how they fare.
struct WebhooksListCommand: Command {
  var usage: Usage {
    Usage(
      "webhooks list",
      "List webhook endpoints and whom notifications are forwarded to, and what waits.",
      options: [ConfigurationFile.option, Option<Bool>.json], example: "clawback webhooks list",
      exitCodes: [(.success, "They were listed.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Operator(arguments).ask("webhooks.list")
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
      return .success
    }
    let table = WebhookTable.list(answer)
    console.print(table)
    if table.isEmpty { console.note("There is no endpoint: 'clawback webhooks create' makes one.") }
    return .success
  }
}
