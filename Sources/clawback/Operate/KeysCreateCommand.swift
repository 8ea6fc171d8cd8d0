import AppStoreModel
import LedgerServer

/// Makes an API key and shows its secret, once.
struct KeysCreateCommand: Command {
  private let name = Operand<String>.required("NAME", "What the key is called from now on.")
  private let config = ConfigurationFile.option
  private let scope = Option<String?>.choice(
    "scope", ["device", "read", "spend", "admin"], "What it may do. Default: read.")
  private let apps = Option<[String]>.list(
    "app", "BUNDLE-ID", "An app that it reaches. Default: every app of the configuration.")
  private let environment = Option<String?>.choice(
    "environment", ["Production", "Sandbox"],
    "The only environment that it sees. Default: Sandbox.")

  var usage: Usage {
    Usage(
      "keys create", "Make an API key and print its secret, which is kept nowhere.",
      operands: [name], options: [config, scope, apps, environment, Option<Bool>.json],
      example: "clawback keys create backend --scope spend --environment Production",
      exitCodes: [(.success, "It was made."), (.failure, "It was not, for the reason shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let configuration = try ConfigurationFile.read(arguments[config])
    let stated = arguments[apps]
    let reach = stated.isEmpty ? configuration.apps.map(\.bundleId) : stated
    let ledger = Operator(configuration: configuration)
    let answer = try ledger.ask(
      "keys.create",
      [
        .init("name", .string(arguments[name])),
        .init("scope", .string(arguments[scope] ?? "read")),
        .init("apps", .array(reach.map { .string($0) })),
        .init("environment", .string(arguments[environment] ?? "Sandbox")),
      ])
    let asJSON = arguments[Option<Bool>.json]
    try ShownSecret(answer: answer, ledger: ledger).show(asJSON: asJSON, on: console)
    if !asJSON { console.note("Keep it now: it is shown this once.") }
    return .success
  }
}
