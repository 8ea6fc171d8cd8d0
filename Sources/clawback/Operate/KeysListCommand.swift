import AppStoreModel
import LedgerServer

/// Lists API keys, without their secrets.
struct KeysListCommand: Command {
  var usage: Usage {
    Usage(
      "keys list", "List API keys, revoked ones included.",
      options: [ConfigurationFile.option, Option<Bool>.json],
      example: "clawback keys list", exitCodes: [(.success, "They were listed.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Operator(arguments).ask("keys.list")
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
      return .success
    }
    let keys = answer["keys"]?.array ?? []
    console.print(
      TextTable(
        header: ["name", "scope", "environment", "apps", "made", "revoked"],
        rows: keys.map(Self.row)))
    if keys.isEmpty { console.note("There is no key: 'clawback keys create' makes one.") }
    return .success
  }

  private static func row(_ key: JSONValue) -> [String] {
    func moment(_ name: String) -> String {
      key[name]?.integer.map { Timestamp(millisecondsSince1970: $0).rfc3339 } ?? "-"
    }
    let apps = key["apps"]?.array?.compactMap(\.string).joined(separator: ",")
    return [
      key["name"]?.string ?? "", key["scope"]?.string ?? "", key["environment"]?.string ?? "",
      apps ?? "", moment("madeAtMs"), moment("revokedAtMs"),
    ]
  }
}
