import AppStoreModel
import LedgerServer

/// Lists what could not be taken, and why.
struct QuarantineListCommand: Command {
  private let config = ConfigurationFile.option

  var usage: Usage {
    Usage(
      "quarantine list", "List what was refused, with the rule that it broke.",
      options: [config, Option<Bool>.json], example: "clawback quarantine list",
      exitCodes: [(.success, "It was listed.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let configuration = try ConfigurationFile.read(arguments[config])
    let answer = try Operator(configuration: configuration).ask("quarantine.list")
    if arguments[Option<Bool>.json] {
      console.print(String(decoding: answer.json, as: UTF8.self))
      return .success
    }
    for item in answer["items"]?.array ?? [] {
      let kept = item["isKept"] == .bool(true) ? "kept" : "excerpt"
      let sha256 = item["sha256"]?.string?.prefix(12) ?? ""
      console.print("\(sha256)  \(kept)  \(item["reason"]?.string ?? "")")
    }
    return .success
  }
}
