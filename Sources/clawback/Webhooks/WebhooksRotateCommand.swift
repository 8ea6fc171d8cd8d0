import AppStoreModel
import LedgerServer

/// Puts a new secret in force.
struct WebhooksRotateCommand: Command {
  private let id = Operand<String>.required("ID", "The endpoint.")
  private let overlap = Option<Int>.number(
    "overlap", in: 0...168, default: 24, "For how many hours the secret before signs too.")

  var usage: Usage {
    Usage(
      "webhooks rotate", "Give an endpoint a new secret and print it.", operands: [id],
      options: [ConfigurationFile.option, overlap, Option<Bool>.json],
      example: "clawback webhooks rotate wh_5f3a --overlap 48",
      exitCodes: [(.success, "It has a new one."), (.failure, "There is no such endpoint.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Operator(arguments).ask(
      "webhooks.rotate",
      [
        .init("webhook", .string(arguments[id])),
        .init("overlapHours", .integer(Int64(arguments[overlap]))),
      ])
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
    } else {
      console.print(answer["secret"]?.string ?? "")
      console.note("Keep it now: it is shown this once.")
    }
    return .success
  }
}
