import AppStoreModel
import LedgerServer

/// Lists what could not be taken, and why.
struct QuarantineListCommand: Command {
  var usage: Usage {
    Usage(
      "quarantine list", "List what was refused, with the rule that it broke.",
      options: [ConfigurationFile.option, Option<Bool>.json], example: "clawback quarantine list",
      exitCodes: [(.success, "It was listed.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Operator(arguments).ask("quarantine.list")
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
      return .success
    }
    let items = answer["items"]?.array ?? []
    console.print(
      TextTable(
        header: ["received", "channel", "sha256", "body", "rule"], rows: items.map(Self.row)))
    if items.isEmpty { console.note("Nothing is in quarantine.") }
    return .success
  }

  private static func row(_ item: JSONValue) -> [String] {
    let received = item["receivedAtMs"]?.integer.map {
      Timestamp(millisecondsSince1970: $0).rfc3339
    }
    return [
      received ?? "", item["channel"]?.string ?? "",
      String(item["sha256"]?.string?.prefix(12) ?? ""),
      item["isKept"] == .bool(true) ? "kept" : "excerpt", item["reason"]?.string ?? "",
    ]
  }
}
