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
        own date, its reversal in that of the reversal. '2 for 19.98 USD' are two refunds and what they \
        add up to; 'unpriced' are those of which nobody said how much. 'of items' went back for items \
        of a purchase that itself stayed; 'net' is what went back less what Apple took back by a \
        reversal. Without money, and counted apart: requests that Apple declined, Family Sharing that \
        ended, seats that were withdrawn, moves to a bundle, and revocations of which Apple did not \
        say what they are.
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
    guard !lines.isEmpty else {
      return console.print("  no refunds, reversals or declined requests")
    }
    let head = [
      [
        "  from", "product", "in full", "in part", "of items", "reversed", "net", "declined",
        "family", "seats", "bundles", "unclassified",
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
      Self.sum(line[name], money)
    }
    let counts = [
      "declines", "familyRevocations", "seatRevocations", "bundleMoves", "unclassified",
    ].map { name -> String in
      let count = line[name]?["count"]?.integer ?? 0
      return count == 0 ? "-" : String(count)
    }
    return ["  " + start.prefix(10), line["productId"]?.string ?? ""] + sums
      + [currency == nil ? "-" : money(line["netMilliunits"]?.integer)] + counts
  }

  /// How many there are and what they add up to; those of which nobody said how much are counted apart.
  private static func sum(_ sum: JSONValue?, _ money: (Int64?) -> String) -> String {
    let (count, unpriced) = (sum?["count"]?.integer ?? 0, sum?["unpriced"]?.integer ?? 0)
    let words = [
      count > unpriced ? "\(count - unpriced) for \(money(sum?["milliunits"]?.integer))" : nil,
      unpriced > 0 ? "\(unpriced) unpriced" : nil,
    ]
    let said = words.compactMap { $0 }
    return said.isEmpty ? "-" : said.joined(separator: ", ")
  }
}
