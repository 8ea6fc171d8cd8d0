import AppStoreModel
import LedgerServer

/// Has something of the past sent again.
struct WebhooksReplayCommand: Command {
  private let id = Operand<String>.required("ID", "The endpoint.")
  private let event = Option<String?>.text(
    "event", "EVENT", "Send this one event, by its id or its number in 'webhooks deliveries'.")
  private let since = Option<String?>.text(
    "since", "TIME", "Send what happened from then on, such as 2026-11-30T08:00:00Z.")
  private let until = Option<String?>.text("until", "TIME", "And before then. Default: now.")
  private let dead = Option<Bool>.flag("dead", "Send what was given up.")

  var usage: Usage {
    Usage(
      "webhooks replay", "Send an endpoint again one event, a span of time, or what was given up.",
      operands: [id],
      options: [ConfigurationFile.option, event, since, until, dead, Option<Bool>.json],
      example: "clawback webhooks replay wh_5f3a --since 2026-11-30T08:00:00Z",
      exitCodes: [
        (.success, "It is on its way."), (.failure, "There is nothing to send, or no endpoint."),
        (.unusable, "The command line does not say what to send."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let what = try self.what(arguments)
    let answer = try Operator(arguments).ask(
      "webhooks.replay", [.init("webhook", .string(arguments[id]))] + what)
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
    } else {
      console.note("On its way to \(arguments[id]).")
    }
    return .success
  }

  private func what(_ arguments: Arguments) throws -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let event = arguments[event] { members.append(.init("event", .string(event))) }
    if let since = arguments[since] {
      let moment = try Moment.read(since, for: "--since")
      members.append(.init("sinceMs", .integer(moment.millisecondsSince1970)))
    }
    if arguments[dead] { members.append(.init("deadLetters", .bool(true))) }
    guard members.count == 1 else {
      throw CommandFailure(
        "Name one of --event, --since and --dead.",
        advice: "'clawback webhooks replay --help' shows an example.", code: .unusable)
    }
    if let until = arguments[until] {
      let moment = try Moment.read(until, for: "--until")
      members.append(.init("untilMs", .integer(moment.millisecondsSince1970)))
    }
    return members
  }
}
