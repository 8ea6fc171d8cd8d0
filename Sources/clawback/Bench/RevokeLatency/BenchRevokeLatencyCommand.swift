/// Measures how soon a refund is acted on: from its notification to gate, stream and webhook.
struct BenchRevokeLatencyCommand: Command {
  let refunds = Option<Int>.number("refunds", in: 10...5_000, default: 200, "How many to time.")
  let seconds = Option<Int>.number(
    "seconds", in: 1...60, default: 3, "How long to measure what the server takes in.")

  var usage: Usage {
    Usage(
      "bench revoke-latency", "Time a refund from its notification to gate, stream and webhook.",
      discussion: """
        The real server with a durable ledger runs in this process; notifications are signed by the \
        simulated App Store and posted over HTTP. First the rate is measured at which they are \
        taken in. Then refunds are posted one by one while half of that rate comes in beside them. \
        Each time is from just before the refund is posted until a question to the spend gate is \
        denied, until the event has been read from the stream, and until its webhook has arrived at \
        a receiver in this process, which gets every event.
        """,
      options: [refunds, seconds, Option.json],
      example: "clawback bench revoke-latency --refunds 500",
      exitCodes: [
        (.success, "It was measured."), (.failure, "A notification was refused."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let bench = try RevocationBench(refunds: arguments[refunds])
    defer { bench.stop() }
    let result = try bench.measure(seconds: arguments[seconds])
    if arguments[Option.json] {
      try console.print(json: result)
    } else {
      for line in result.lines { console.print(line) }
    }
    return .success
  }
}
