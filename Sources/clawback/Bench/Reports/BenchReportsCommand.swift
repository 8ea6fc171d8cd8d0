/// Measures how long reports take over a large ledger.
struct BenchReportsCommand: Command {
  private let purchases = Option<Int>.number(
    "purchases", in: 100...1_000_000, default: 10_000, "How many purchases to make.")

  var usage: Usage {
    Usage(
      "bench reports", "Time every report over a ledger with many refunds.",
      discussion: """
        The real server with a durable ledger runs in this process. Purchases are made, a tenth of them \
        is refunded, and spend is recorded on each of those, all over HTTP. Then each report is read \
        to its end, page by page.
        """,
      options: [purchases, Option<Bool>.json],
      example: "clawback bench reports --purchases 100000",
      exitCodes: [
        (.success, "It was measured."), (.failure, "The server refused something."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let bench = try ReportBench()
    defer { bench.stop() }
    let result = try bench.measure(purchases: arguments[purchases])
    if arguments[Option<Bool>.json] {
      try console.print(json: result)
    } else {
      for line in result.lines { console.print(line) }
    }
    return .success
  }
}
