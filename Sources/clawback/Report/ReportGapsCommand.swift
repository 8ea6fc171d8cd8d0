import AppStoreModel
import LedgerServer

/// Lists notifications that Apple sent and that were missed.
struct ReportGapsCommand: Command {

  var usage: Usage {
    Usage(
      "report gaps", "List the notifications that Apple sent and that had not been stored.",
      discussion: """
        'reconcile' and the running server find them in Apple's notification history, store them, and \
        say why each was missed: outage, refused, quarantined, neverReached or beforeInstallation.
        """,
      options: [ConfigurationFile.option, ReportQuestion.csv, Option<Bool>.json],
      example: "clawback report gaps",
      exitCodes: [(.success, "They were listed, or there are none.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let operations = try Operator(arguments)
    if arguments[ReportQuestion.csv] {
      guard !arguments[Option<Bool>.json] else { throw UsageError.notTogether("--csv", "--json") }
      try printCSV(operations, on: console)
      return .success
    }
    var gaps: [JSONValue] = []
    var after: Int64? = 0
    while let place = after {
      let page = try operations.ask("report.gaps", [.init("after", .integer(place))])
      gaps += page["gaps"]?.array ?? []
      after = page["next"]?.integer
    }
    if arguments[Option<Bool>.json] {
      console.print(json: .object([.init("gaps", .array(gaps))]))
      return .success
    }
    console.print(
      TextTable(
        header: ["signed", "reason", "notification", "transaction", "detail"],
        rows: gaps.map(Self.row)))
    console.note(gaps.count == 1 ? "1 gap." : "\(gaps.count) gaps.")
    return .success
  }

  private func printCSV(_ operations: Operator, on console: Console) throws(CommandFailure) {
    var after: Int64? = 0
    while let place = after {
      let page = try operations.ask(
        "report.gaps", [.init("after", .integer(place)), .init("format", .string("csv"))])
      console.print(csv: page["csv"]?.string ?? "", withHeader: place == 0)
      after = page["next"]?.integer
    }
  }

  private static func row(_ gap: JSONValue) -> [String] {
    let type = [gap["type"]?.string, gap["subtype"]?.string].compactMap { $0 }
    let moment = gap["signedAtMs"]?.integer.map {
      Timestamp(millisecondsSince1970: $0).rfc3339
    }
    return [
      moment ?? "", gap["reason"]?.string ?? "", type.joined(separator: "/"),
      gap["transactionId"]?.string ?? "", gap["detail"]?.string ?? "",
    ]
  }
}
