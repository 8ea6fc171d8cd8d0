import AppStoreModel
import LedgerServer

/// Ends an API key at once.
struct KeysRevokeCommand: Command {
  private let name = Operand<String>.required("NAME", "The key to end.")

  var usage: Usage {
    Usage(
      "keys revoke", "End an API key: the next request with it is refused.", operands: [name],
      options: [ConfigurationFile.option], example: "clawback keys revoke backend",
      exitCodes: [(.success, "It was ended."), (.failure, "There is no good key of that name.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    _ = try Operator(arguments).ask(
      "keys.revoke", [.init("name", .string(arguments[name]))])
    console.note("Revoked \(arguments[name]).")
    return .success
  }
}
