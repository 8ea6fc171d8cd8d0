import AppStoreModel
import LedgerServer

/// Shows what was spent on purchases that had been refunded.
struct ReportLateSpendCommand: Command {
  var usage: Usage {
    Usage(
      "report late-spend", "Show what was spent on refunded purchases, before and after we knew.",
      discussion: """
        A refund reaches this ledger some time after Apple made it. What was spent on the purchase is \
        divided by these two moments: 'before' the refund; 'unseen', after it and before any channel \
        told us of it; 'ignored', after we knew. The gate allows nothing then, so that what is ignored \
        was recorded without asking it, or was settled on a hold that the refund had revoked: work \
        that went on although the hold was gone. 'stopped' are holds that were open when we learned of \
        the refund and of which nothing was spent.

        The table has the refunds with late spend, and the sums are of all refunds.
        """,
      options: ReportQuestion.options + [Option<Bool>.json],
      example: "clawback report late-spend --from 2026-11-01",
      exitCodes: [(.success, "It was shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    try ReportQuestion.answer(
      arguments, "report.lateSpend", list: "refunds", on: console, show)
  }

  private func show(_ answer: JSONValue, on console: Console) {
    let refunds = answer["refunds"]?.array ?? []
    let late = refunds.filter { refund in
      ["unseen", "ignored"].contains { refund["spend"]?[$0]?.array?.isEmpty == false }
    }
    console.print(answer.heading)
    console.print(
      "  \(JSONValue.count(refunds.count, "refund")), \(late.count) of them with late spend")
    let head = [
      [
        "  transaction", "customer", "refunded", "first seen", "seen by", "before", "unseen",
        "ignored",
      ]
    ]
    if !late.isEmpty {
      for line in TextTable(rows: head + late.map(Self.row)).lines { console.print(line) }
    }
    for (name, pick) in Self.sums {
      let sum = Self.sum(refunds.compactMap(pick))
      if !sum.isEmpty { console.print("  \(name): \(sum)") }
    }
  }

  private static let sums: [(String, @Sendable (JSONValue) -> JSONValue?)] = [
    ("spent before the refund", { $0["spend"]?["before"] }),
    ("unseen, spent before we knew of it", { $0["spend"]?["unseen"] }),
    ("ignored, spent although we knew", { $0["spend"]?["ignored"] }),
    ("stopped, held and not spent", { $0["stoppedHolds"]?["amounts"] }),
  ]

  private static func row(_ refund: JSONValue) -> [String] {
    func moment(_ name: String) -> String {
      refund[name]?.integer.map { Timestamp(millisecondsSince1970: $0).rfc3339 } ?? "-"
    }
    return [
      "  " + (refund["transactionId"]?.string ?? ""), refund["customer"]?.string ?? "-",
      moment("refundedAtMs"), moment("firstSeenAtMs"), refund["firstChannel"]?.string ?? "-",
    ]
      + ["before", "unseen", "ignored"].map { name in
        let sum = sum([refund["spend"]?[name]].compactMap { $0 })
        return sum.isEmpty ? "-" : sum
      }
  }

  /// Amounts added up by currency, to the last microunit.
  static func sum(_ lists: [JSONValue]) -> String {
    var sums: [String: Int64] = [:]
    for amount in lists.flatMap({ $0.array ?? [] }) {
      let code = amount["currency"]?.string ?? ""
      sums[code] = sums[code, default: 0].saturatingSum(amount["microunits"]?.integer ?? 0)
    }
    return sums.sorted { $0.key < $1.key }.map { text($0.value, $0.key) }.joined(separator: ", ")
  }

  private static func text(_ microunits: Int64, _ currency: String) -> String {
    if microunits.isMultiple(of: 1_000) {
      return Money(milliunits: microunits / 1_000, currency: Currency(code: currency)).text
    }
    let rest = String(String(1_000_000 + microunits % 1_000_000).dropFirst())
    return "\(microunits / 1_000_000).\(rest) \(currency)"
  }
}
