import AppStoreModel
import Glibc
import LedgerServer

/// Compares the ledger with what Apple knows, once.
struct ReconcileCommand: Command {
  private let config = ConfigurationFile.option
  private let log = LogFile.option
  private let once = Option<Bool>.flag(
    "once", "End when everything was compared once; it always does, and a script may say so.")

  var usage: Usage {
    Usage(
      "reconcile", "Ask Apple about everything once: what was missed, and what changed unheard.",
      discussion: """
        Reads Apple's notification history and refund histories, and asks about each purchase, the \
        doubtful ones first, within Apple's rate limits. Interrupted, the next run goes on where it \
        stopped. While a server runs it does the work, and goes on with it when this command is ended. \
        While none runs, reports, keys and quarantine are answered by this command.
        """,
      options: [config, once, log, Option<Bool>.json],
      example: "clawback reconcile --config clawback.json5",
      exitCodes: [
        (.success, "Everything was compared."),
        (
          .failure,
          "Apple did not answer, an app has no key, or the store failed; what is left is asked the next "
            + "time."
        ),
        (.unusable, "The command line or the configuration cannot be used."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let configuration = try ConfigurationFile.read(arguments[config])
    let session = try LedgerSession(configuration, log: try LogFile.open(arguments[log]))
    defer { session.close() }
    LogFile.tell(arguments[log], isServed: session.isServed, on: console)
    _ = try session.ask("reconcile.begin")
    try session.start(endsAfterPass: true)
    let answer = try watch(session, console)
    if arguments[Option<Bool>.json] {
      console.print(json: answer)
    } else {
      for scope in answer["scopes"]?.array ?? [] { console.print(Self.line(scope)) }
    }
    let troubles = (answer["scopes"]?.array ?? []).compactMap(Self.trouble)
    for trouble in Set(troubles).sorted() { console.note(trouble) }
    let failed = Self.sum("failed", of: answer["scopes"]?.array ?? [])
    if failed > 0 {
      console.note("Without a usable answer: \(failed). They are asked again the next time.")
    }
    let unasked = answer["appsWithoutKey"]?.array?.compactMap(\.string) ?? []
    for app in unasked { console.note(Self.unasked(app)) }
    return troubles.isEmpty && failed == 0 && unasked.isEmpty ? .success : .failure
  }

  private static func unasked(_ app: String) -> String {
    "Nothing was asked about \(app): it has no App Store Connect key. Add appStoreConnect to it in "
      + "the configuration."
  }

  /// What kept Apple from answering, and what to do about it.
  private static func trouble(_ scope: JSONValue) -> String? {
    guard let trouble = scope["trouble"]?.string else { return nil }
    return [trouble.asSentence, scope["advice"]?.string].compactMap { $0 }.joined(separator: "\n")
  }

  /// Shows how far it has come until it is over.
  private func watch(
    _ session: LedgerSession, _ console: Console
  ) throws(CommandFailure) -> JSONValue {
    var bar = ProgressBar("asking Apple", on: console)
    var told = ToldTrouble(console)
    while true {
      let answer = try session.ask("reconcile.progress")
      if answer["isFinished"] == .bool(true) {
        bar.finish()
        return answer
      }
      let scopes = answer["scopes"]?.array ?? []
      told.tell(scopes.lazy.compactMap { $0["trouble"]?.string }.first)
      bar.report(
        Self.sum("done", of: scopes), of: Self.sum("total", of: scopes), Self.details(scopes))
      usleep(200_000)
    }
  }

  private static func sum(_ name: String, of scopes: [JSONValue]) -> Int {
    scopes.reduce(0) { $0 + Int($1[name]?.integer ?? 0) }
  }

  /// What is left, what was done, and what keeps Apple from answering.
  private static func details(_ scopes: [JSONValue]) -> String {
    let left = scopes.compactMap { $0["remainingMs"]?.integer }.max() ?? 0
    let words = [
      left > 0 ? "about \(Remaining.text(milliseconds: left)) left" : nil,
      "\(sum("asked", of: scopes)) purchases asked about",
      "\(sum("refundHistories", of: scopes)) refund histories read",
      scopes.lazy.compactMap { $0["trouble"]?.string }.first,
    ]
    return words.compactMap { $0 }.joined(separator: ", ")
  }

  private static func line(_ scope: JSONValue) -> String {
    func number(_ name: String) -> String { String(scope[name]?.integer ?? 0) }
    let place = "\(scope["app"]?.string ?? "") \(scope["environment"]?.string ?? "")"
    return "\(place): \(number("pages")) pages of history, \(number("gaps")) gaps, "
      + "\(number("asked")) purchases asked about, "
      + "\(number("refundHistories")) refund histories read, "
      + "\(number("notFound")) unknown to Apple, \(number("failed")) without an answer"
  }
}
