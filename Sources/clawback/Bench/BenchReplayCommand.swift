import LedgerStorage

/// Measures how many notifications a process takes into a ledger.
struct BenchReplayCommand: Command {
  let input = Option.required("input", "FILE", "Notifications, one object a line.")
  let database = Option<String>.text(
    "database", "URL", default: "sqlite::memory:",
    "The ledger to write; a new file is the durable case.")
  let root = RootOption.option

  var usage: Usage {
    Usage(
      "bench replay", "Count the notifications that are taken into a ledger in a CPU second.",
      discussion: """
        Every notification is verified, decoded and stored with all that follows from it. The time \
        is CPU time of the whole process, both of its threads together.
        """,
      options: [input, database, root, Option.json],
      example: "clawback bench replay --input notifications.jsonl --root root.der",
      exitCodes: [
        (.success, "All were stored."), (.failure, "One was refused, or known already."),
        (.unusable, "The file or the database cannot be used."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let lines = try LineReader(arguments[input])
    let trust = try ReplayTrust(root: arguments[root])
    let now = WallClock.now
    let ledger = try LedgerOpening.open(
      arguments[database], realm: trust.realm, rules: trust.rules, now: now)
    defer { ledger.store.close() }
    let begin = (cpu: WallClock.cpuSeconds, steady: WallClock.steadySeconds)
    let replay = Replay(ledger: ledger, verifier: trust.verifier, app: trust.app, now: now)
    let counts = try replay.run(lines) { _ in }
    guard counts.stored == counts.read, counts.read > 0 else {
      throw CommandFailure(
        "Only \(counts.stored) of \(counts.read) lines were new to the ledger.",
        advice: "Measure with distinct genuine notifications and a database that is new.")
    }
    let result = BenchResult(
      notifications: counts.read, cpuSeconds: WallClock.cpuSeconds - begin.cpu,
      seconds: WallClock.steadySeconds - begin.steady)
    if arguments[Option.json] {
      try console.print(json: result)
    } else {
      console.print("\(Int(result.notificationsPerSecond)) notifications per CPU second, stored")
    }
    return .success
  }
}
