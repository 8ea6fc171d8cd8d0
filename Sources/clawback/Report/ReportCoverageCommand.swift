import AppStoreModel
import LedgerServer

/// Shows how much was compared with Apple.
struct ReportCoverageCommand: Command {

  var usage: Usage {
    Usage(
      "report coverage", "Show how much of the ledger was compared with Apple, and how fast.",
      options: [ConfigurationFile.option, ReportQuestion.csv, Option<Bool>.json],
      example: "clawback report coverage",
      exitCodes: [(.success, "It was shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let operations = try Operator(arguments)
    if arguments[ReportQuestion.csv] {
      guard !arguments[Option<Bool>.json] else { throw UsageError.notTogether("--csv", "--json") }
      let answer = try operations.ask("report.coverage", [.init("format", .string("csv"))])
      console.print(csv: answer["csv"]?.string ?? "")
      return .success
    }
    let answer = try operations.ask("report.coverage")
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
      return .success
    }
    for scope in answer["scopes"]?.array ?? [] { show(scope, on: console) }
    return .success
  }

  private func show(_ scope: JSONValue, on console: Console) {
    func number(_ value: JSONValue, _ name: String) -> Int64 { value[name]?.integer ?? 0 }
    console.print("\(scope["app"]?.string ?? "") \(scope["environment"]?.string ?? "")")
    console.print(
      "  \(number(scope, "chains")) purchases, \(number(scope, "chainsWithAPICopy")) of them seen "
        + "at Apple, \(number(scope, "gaps")) gaps, \(number(scope, "refundHistories")) refund histories"
    )
    for waiting in scope["waiting"]?.array ?? [] {
      console.print(
        "  \(waiting["reason"]?.string ?? ""): \(number(waiting, "chains")) wait, "
          + "\(number(waiting, "due")) are due")
    }
    for product in scope["products"]?.array ?? [] where product["isSilent"] == .bool(true) {
      console.print(
        "  no signal: \(product["productId"]?.string ?? ""), \(number(product, "purchases")) "
          + "purchases; a refund would go unnoticed")
    }
    for walk in scope["walks"]?.array ?? [] { console.print("  " + Self.line(walk)) }
  }

  private static func line(_ walk: JSONValue) -> String {
    var words = [walk["walk"]?.string ?? ""]
    if let finished = walk["lastFinishedAtMs"]?.integer, let cycle = walk["cycleMs"]?.integer {
      let moment = Timestamp(millisecondsSince1970: finished).rfc3339
      words.append("finished \(moment) after \(Measured.text(milliseconds: cycle))")
    } else {
      words.append("never finished")
    }
    if let steps = walk["steps"]?.integer { words.append("under way, \(steps) steps") }
    return words.joined(separator: ", ")
  }
}
