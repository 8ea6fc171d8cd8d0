import AppStoreModel
import LedgerStorage
import SQLiteStorage

/// Takes an archive of signed data into a ledger.
struct ReplayCommand: Command {
  let file = Operand.required("FILE", "The archive, one item a line; - reads standard input.")
  let database = Option.required("database", "URL", "Where the ledger is: sqlite:PATH.")
  let config = Option<String?>.text(
    "config", "FILE", "Take only the apps of this configuration file, under its catalog.")
  let root = RootOption.option

  var usage: Usage {
    Usage(
      "replay", "Take an archive of signed data into a ledger.",
      discussion: """
        A line is a compact JWS, or an object with signedPayload, signedTransactionInfo, \
        signedRenewalInfo or signedAppTransactionInfo, or several of them; other members are passed \
        over. Every app is taken unless --config names a configuration file, environments are kept \
        apart, and the age of what was signed does not matter. What is refused goes into \
        quarantine; where nothing was signed under the trusted root, no new ledger is made. The same \
        file can be replayed again: what is known is counted as repeated and changes nothing.
        """,
      operands: [file], options: [database, config, root, Option.json],
      example: "clawback replay archive.jsonl --database sqlite:ledger.db",
      exitCodes: [
        (.success, "Every line was stored, repeated or put into quarantine."),
        (
          .failure, "The ledger could not be written, or nothing was signed under the trusted root."
        ),
        (.unusable, "The file or the database cannot be used."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let lines = try LineReader(arguments[file])
    let trust = try self.trust(arguments)
    let now = WallClock.now
    let address = try LedgerOpening.address(arguments[database])
    let isNew = !address.exists
    let ledger = try LedgerOpening.open(
      arguments[database], realm: trust.realm, rules: trust.rules, now: now)
    defer { ledger.store.close() }
    let replay = Replay(ledger: ledger, verifier: trust.verifier, app: trust.app, now: now)
    let begin = WallClock.steadySeconds
    let counts: ReplayTally.Counts
    do {
      counts = try run(replay, lines, on: console)
    } catch {
      if isNew, holdsNothing(ledger) { discard(address, ledger) }
      throw error
    }
    let result = ReplayResult(
      counts, seconds: WallClock.steadySeconds - begin,
      digest: try ledger.makeReader().digest())
    try show(result, arguments, on: console)
    tellOfForeign(counts, trust.realm, on: console)
    guard isNew, counts.provesNothing, holdsNothing(ledger), case .file = address else {
      return .success
    }
    discard(address, ledger)
    console.note("No ledger was made: it would have been stamped with a realm it has nothing of.")
    return .failure
  }

  private func holdsNothing(_ ledger: Ledger) -> Bool {
    (try? ledger.makeReader().counts().facts) == 0
  }

  private func discard(_ address: SQLiteAddress, _ ledger: Ledger) {
    ledger.store.close()
    address.remove()
  }

  private func show(_ result: ReplayResult, _ arguments: Arguments, on console: Console) throws {
    if arguments[Option.json] {
      try console.print(json: result)
    } else {
      for line in result.lines { console.print(line) }
    }
  }

  private func tellOfForeign(
    _ counts: ReplayTally.Counts, _ realm: Realm, on console: Console
  ) {
    guard counts.foreign > 0 else { return }
    let part = counts.foreign == counts.read ? "Every line was" : "\(counts.foreign) lines were"
    let root = realm == .apple ? "Apple's" : "the one that is trusted"
    console.note(
      "\(part) signed under another root than \(root). To take what a simulated App Store signed, "
        + "give its root: --root FILE.der ('clawback simulate --help' says how to write it).")
  }

  private func trust(_ arguments: Arguments) throws -> ReplayTrust {
    guard let path = arguments[config] else { return try ReplayTrust(root: arguments[root]) }
    return try ReplayTrust(configuration: path, root: arguments[root])
  }

  private func run(
    _ replay: Replay, _ lines: LineReader, on console: Console
  ) throws -> ReplayTally.Counts {
    var bar = ProgressBar("Replaying, MiB", of: lines.size >> 20, on: console)
    do {
      let counts = try replay.run(lines) { bytes in bar.report(bytes >> 20) }
      bar.finish()
      return counts
    } catch {
      bar.finish()
      throw error
    }
  }
}
