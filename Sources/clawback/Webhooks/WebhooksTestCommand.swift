import AppStoreModel
import LedgerServer

/// Has the running server send an endpoint something without meaning.
struct WebhooksTestCommand: Command {
  private let id = Operand<String>.required("ID", "The endpoint.")

  var usage: Usage {
    Usage(
      "webhooks test", "Send an endpoint a signed ping, and say how it answered.", operands: [id],
      options: [ConfigurationFile.option, Option<Bool>.json],
      example: "clawback webhooks test wh_5f3a",
      exitCodes: [(.success, "It was taken."), (.failure, "It was not, for the reason shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Operator(arguments).ask(
      "webhooks.test", [.init("webhook", .string(arguments[id]))])
    let isDelivered = answer["delivered"] == .bool(true)
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
    } else {
      let reason = answer["failure"]?.string ?? "status \(answer["status"]?.integer ?? 0)"
      console.print((isDelivered ? "delivered" : "not delivered") + ": \(reason)")
    }
    return isDelivered ? .success : .failure
  }
}
