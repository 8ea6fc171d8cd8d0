import AppStoreModel
import LedgerServer

/// Shows how late each channel brought refunds.
struct ReportSignalsCommand: Command {
  var usage: Usage {
    Usage(
      "report signals", "Show how late each channel told of refunds, and what it alone would miss.",
      discussion: """
        A delay runs from Apple's date of the refund to our receipt. Refunds from before an app was \
        first heard of here are 'backfilled' and leave the delays; so do those 'without a sighting', \
        of which it is not on record who told. 'missed alone' are refunds that a channel by itself \
        would not have told us of; 'any' is the delay to whichever came first.
        """,
      options: ReportQuestion.options + [Option<Bool>.json],
      example: "clawback report signals --from 2026-11-01",
      exitCodes: [(.success, "It was shown.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    try ReportQuestion.answer(arguments, "report.signals", on: console, show)
  }

  private func show(_ answer: JSONValue, on console: Console) {
    func number(_ name: String) -> Int64 { answer[name]?.integer ?? 0 }
    console.print(answer.heading)
    console.print(
      "  \(JSONValue.count(Int(number("refunds")), "refund")), \(number("backfilled")) backfilled, "
        + "\(number("unsighted")) without a sighting")
    guard number("refunds") > number("backfilled") + number("unsighted") else { return }
    let head = [["  channel", "brought", "first", "missed alone", "median", "p95", "worst"]]
    let any = ["  any", "-", "-", "-"] + Self.delays(answer["anyChannel"])
    let rows = (answer["channels"]?.array ?? []).map(Self.row) + [any]
    for line in TextTable(rows: head + rows).lines { console.print(line) }
  }

  private static func row(_ line: JSONValue) -> [String] {
    ["  " + (line["channel"]?.string ?? "")]
      + ["brought", "first", "missedAlone"].map { String(line[$0]?.integer ?? 0) }
      + delays(line["delay"])
  }

  private static func delays(_ delays: JSONValue?) -> [String] {
    ["medianMs", "p95Ms", "worstMs"].map { name in
      delays?[name]?.integer.map(Measured.text(milliseconds:)) ?? "-"
    }
  }
}
