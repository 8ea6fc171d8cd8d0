import AppStoreModel
import LedgerServer

/// Lists API keys, without their secrets.
struct KeysListCommand: Command {
  private let config = ConfigurationFile.option

  var usage: Usage {
    Usage(
      "keys list", "List API keys, revoked ones included.", options: [config, Option<Bool>.json],
      example: "clawback keys list", exitCodes: [(.success, "They were listed.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let configuration = try ConfigurationFile.read(arguments[config])
    let answer = try Operator(configuration: configuration).ask("keys.list")
    if arguments[Option<Bool>.json] {
      console.print(String(decoding: answer.json, as: UTF8.self))
      return .success
    }
    for key in answer["keys"]?.array ?? [] {
      let apps = key["apps"]?.array?.compactMap(\.string).joined(separator: ",")
      let words = [
        key["name"]?.string, key["scope"]?.string, key["environment"]?.string, apps,
        key["revokedAtMs"] == nil ? nil : "revoked",
      ]
      console.print(words.compactMap { $0 }.joined(separator: "  "))
    }
    return .success
  }
}
