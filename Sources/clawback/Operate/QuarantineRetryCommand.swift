import AppStoreModel
import LedgerServer

/// Tries again what was kept, under the configuration of today.
struct QuarantineRetryCommand: Command {
  var usage: Usage {
    Usage(
      "quarantine retry", "Verify again what was kept whole, and take what passes now.",
      options: [ConfigurationFile.option, Option<Bool>.json], example: "clawback quarantine retry",
      exitCodes: [(.success, "It was tried; what is left is named.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let answer = try Operator(arguments).ask("quarantine.retry")
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
    } else {
      console.print(
        "taken \(answer["taken"]?.integer ?? 0), left \(answer["left"]?.integer ?? 0)")
      for item in answer["items"]?.array ?? [] {
        console.print(
          "\(item["sha256"]?.string?.prefix(12) ?? "")  \(item["reason"]?.string ?? "")")
      }
    }
    return .success
  }
}
