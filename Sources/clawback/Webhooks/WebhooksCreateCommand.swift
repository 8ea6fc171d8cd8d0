import AppStoreModel
import LedgerServer

/// Makes an endpoint and shows its secret, once.
struct WebhooksCreateCommand: Command {
  private let url = Operand<String>.required("URL", "Where events are posted to: https.")
  private let config = ConfigurationFile.option
  private let apps = Option<[String]>.list(
    "app", "BUNDLE-ID", "An app whose events it gets. Default: every app of the configuration.")
  private let types = Option<[String]>.list(
    "type", "TYPE", "A type of event that it gets. Default: every type.")
  private let environment = Option<String?>.choice(
    "environment", ["Production", "Sandbox"],
    "The only environment whose events it gets. Default: Sandbox.")
  private let description = Option<String?>.text("description", "TEXT", "What it is for.")

  var usage: Usage {
    Usage(
      "webhooks create", "Make a webhook endpoint and print its secret.",
      discussion: """
        Events from now on are posted to it, signed as Standard Webhooks says. A plain http or \
        private address has to be among webhooks.trustedURLs of the configuration.
        """,
      operands: [url],
      options: [config, apps, types, environment, description, Option<Bool>.json],
      example: "clawback webhooks create https://api.example.com/clawback",
      exitCodes: [(.success, "It was made."), (.failure, "It was not, for the reason shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let configuration = try ConfigurationFile.read(arguments[config])
    let reach = arguments[apps].isEmpty ? configuration.apps.map(\.bundleId) : arguments[apps]
    var members: [JSONValue.Member] = [
      .init("url", .string(arguments[url])), .init("apps", .array(reach.map { .string($0) })),
      .init("types", .array(arguments[types].map { .string($0) })),
      .init("environment", .string(arguments[environment] ?? "Sandbox")),
    ]
    if let text = arguments[description] { members.append(.init("description", .string(text))) }
    let answer = try Operator(configuration: configuration).ask("webhooks.create", members)
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
    } else {
      console.note("Made \(answer["webhook"]?["id"]?.string ?? ""). Its secret, shown this once:")
      console.print(answer["secret"]?.string ?? "")
    }
    return .success
  }
}
