import AppStoreModel
import LedgerServer

/// Shows what was spent on purchases that had been refunded.
struct ReportLateSpendCommand: Command {
  var usage: Usage {
    Usage(
      "report late-spend", "Show what was spent on refunded purchases, before and after we knew.",
      discussion: """
        'unseen' is what was spent from Apple's date of the refund on and before any channel told us; \
        'ignored' is what was spent after that. 'stopped' are holds that were open then and were not \
        spent.
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
    console.print(answer.heading)
    console.print("  \(refunds.count) refunds")
    let late = refunds.filter { refund in
      ["unseen", "ignored"].contains { refund["spend"]?[$0]?.array?.isEmpty == false }
    }
    let head = [
      ["  transaction", "customer", "refunded", "first seen", "by", "before", "unseen", "ignored"]
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
    ("spent before", { $0["spend"]?["before"] }), ("unseen", { $0["spend"]?["unseen"] }),
    ("ignored", { $0["spend"]?["ignored"] }),
    ("stopped in time", { $0["stoppedHolds"]?["amounts"] }),
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
        sum([refund["spend"]?[name]].compactMap { $0 })
      }
  }

  /// Amounts added up by currency, to the last microunit.
  static func sum(_ lists: [JSONValue]) -> String {
    var sums: [String: Int64] = [:]
    for amount in lists.flatMap({ $0.array ?? [] }) {
      let code = amount["currency"]?.string ?? ""
      let (sum, overflow) = sums[code, default: 0]
        .addingReportingOverflow(amount["microunits"]?.integer ?? 0)
      sums[code] = overflow ? .max : sum
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
