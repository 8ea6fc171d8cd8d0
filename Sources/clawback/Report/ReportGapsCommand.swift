import AppStoreModel
import LedgerServer

/// Lists notifications that Apple sent and that were missed.
struct ReportGapsCommand: Command {
  private let config = ConfigurationFile.option

  var usage: Usage {
    Usage(
      "report gaps", "List the notifications that Apple sent and that had not been stored.",
      discussion: """
        'reconcile' and the running server find them in Apple's notification history, store them, and \
        say why each was missed: outage, refused, quarantined, neverReached or beforeInstallation.
        """,
      options: [config, Option<Bool>.json], example: "clawback report gaps",
      exitCodes: [(.success, "They were listed, or there are none.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let operations = Operator(configuration: try ConfigurationFile.read(arguments[config]))
    var gaps: [JSONValue] = []
    var after: Int64? = 0
    while let place = after {
      let page = try operations.ask("report.gaps", [.init("after", .integer(place))])
      gaps += page["gaps"]?.array ?? []
      after = page["next"]?.integer
    }
    if arguments[Option<Bool>.json] {
      console.print(
        String(decoding: JSONValue.object([.init("gaps", .array(gaps))]).json, as: UTF8.self))
      return .success
    }
    for line in TextTable(rows: gaps.map(Self.row)).lines { console.print(line) }
    console.note("\(gaps.count) gaps.")
    return .success
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
