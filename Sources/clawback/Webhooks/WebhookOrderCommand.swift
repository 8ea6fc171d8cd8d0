import AppStoreModel
import LedgerServer

/// One of the commands that need only an endpoint's name.
struct WebhookOrderCommand: Command {
  private let word: String
  private let summary: String
  private let done: String
  private let id = Operand<String>.required(
    "ID", "The endpoint, as 'clawback webhooks list' shows it.")

  static let delete = WebhookOrderCommand(
    "delete", "Delete an endpoint with everything that waits for it.", done: "Deleted")
  static let disable = WebhookOrderCommand(
    "disable", "Send an endpoint nothing more until it is woken.", done: "Disabled")
  static let wake = WebhookOrderCommand(
    "wake", "Send an endpoint again, what waits for it at once.", done: "Woke")

  private init(_ word: String, _ summary: String, done: String) {
    self.word = word
    self.summary = summary
    self.done = done
  }

  var usage: Usage {
    Usage(
      "webhooks \(word)", summary, operands: [id],
      options: [ConfigurationFile.option, Option<Bool>.json],
      example: "clawback webhooks \(word) wh_5f3a",
      exitCodes: [(.success, "It is done."), (.failure, "There is no such endpoint.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Operator(arguments).ask(
      "webhooks.\(word)", [.init("webhook", .string(arguments[id]))])
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
    } else {
      console.note("\(done) \(arguments[id]).")
    }
    return .success
  }
}
