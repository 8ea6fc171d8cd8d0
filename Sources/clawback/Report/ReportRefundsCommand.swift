import AppStoreModel
import LedgerServer

/// Shows refunds and what is none, counted apart.
struct ReportRefundsCommand: Command {
  private let by = Option<String?>.choice(
    "by", ["day", "week", "month"], "How finely to divide time, in UTC. Default: month.")

  var usage: Usage {
    Usage(
      "report refunds", "Show refunds, reversals and declines by period, product and currency.",
      discussion: """
        Amounts are those that Apple signalled, not accounting. A refund counts in the period of its \
        own date, its reversal in that of the reversal; revocations of family members and seats, moves \
        to a bundle and declined requests are counted apart and move no money.
        """,
      options: ReportQuestion.options + [by, Option<Bool>.json],
      example: "clawback report refunds --by week",
      exitCodes: [(.success, "It was shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let members = [JSONValue.Member("by", .string(arguments[by] ?? "month"))]
    return try ReportQuestion.answer(
      arguments, "report.refunds", list: "lines", members, on: console, show)
  }

  private func show(_ answer: JSONValue, on console: Console) {
    let lines = answer["lines"]?.array ?? []
    console.print(answer.heading)
    guard !lines.isEmpty else { return console.print("  nothing") }
    let head = [
      [
        "  from", "product", "full", "prorated", "items", "reversed", "net", "declined", "family",
        "seats", "bundles", "unclassified",
      ]
    ]
    for line in TextTable(rows: head + lines.map(Self.row)).lines { console.print(line) }
  }

  private static func row(_ line: JSONValue) -> [String] {
    let start = Timestamp(millisecondsSince1970: line["periodStartMs"]?.integer ?? 0).rfc3339
    let currency = line["currency"]?.string
    func money(_ milliunits: Int64?) -> String {
      guard let milliunits, let currency else { return "" }
      return Money(milliunits: milliunits, currency: Currency(code: currency)).text
    }
    let sums = ["fullRefunds", "proratedRefunds", "itemRefunds", "reversals"].map { name in
      let sum = line[name]
      let count = sum?["count"]?.integer ?? 0
      return count == 0 ? "-" : "\(count) " + money(sum?["milliunits"]?.integer)
    }
    let counts = [
      "declines", "familyRevocations", "seatRevocations", "bundleMoves", "unclassified",
    ].map { name -> String in
      let count = line[name]?["count"]?.integer ?? 0
      return count == 0 ? "-" : String(count)
    }
    return ["  " + start.prefix(10), line["productId"]?.string ?? ""] + sums
      + [money(line["netMilliunits"]?.integer)] + counts
  }
}
