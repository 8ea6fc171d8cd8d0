import AppStoreModel
import Glibc
import LedgerServer

/// Compares the ledger with what Apple knows, once.
struct ReconcileCommand: Command {
  private let config = ConfigurationFile.option
  private let once = Option<Bool>.flag(
    "once", "End when everything was compared once; it always does, and a script may say so.")

  var usage: Usage {
    Usage(
      "reconcile", "Ask Apple about everything once: what was missed, and what changed unheard.",
      discussion: """
        Reads Apple's notification history and refund histories, and asks about each purchase, the \
        doubtful ones first, within Apple's rate limits. Interrupted, the next run goes on where it \
        stopped. While a server runs it does the work, and goes on with it when this command is ended.
        """,
      options: [config, once, Option<Bool>.json],
      example: "clawback reconcile --config clawback.json5",
      exitCodes: [
        (.success, "Everything was compared."),
        (
          .failure,
          "Apple did not answer, or the store failed; what is left is asked the next time."
        ),
        (.unusable, "The command line or the configuration cannot be used."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let session = try LedgerSession(try ConfigurationFile.read(arguments[config]))
    defer { session.close() }
    _ = try session.ask("reconcile.begin")
    try session.start(endsAfterPass: true)
    let answer = try watch(session, console)
    if arguments[Option<Bool>.json] {
      console.print(String(decoding: answer.json, as: UTF8.self))
    } else {
      for scope in answer["scopes"]?.array ?? [] { console.print(Self.line(scope)) }
    }
    let troubles = (answer["scopes"]?.array ?? []).compactMap { $0["trouble"]?.string }
    for trouble in Set(troubles).sorted() { console.note(trouble + ".") }
    return troubles.isEmpty ? .success : .failure
  }

  /// Draws how far it has come until it is over.
  private func watch(
    _ session: LedgerSession, _ console: Console
  ) throws(CommandFailure) -> JSONValue {
    while true {
      let answer = try session.ask("reconcile.progress")
      let scopes = answer["scopes"]?.array ?? []
      if answer["isFinished"] == .bool(true) {
        if console.isWatched { console.draw("\r\u{1B}[K") }
        return answer
      }
      if console.isWatched {
        let done = scopes.reduce(0) { $0 + ($1["done"]?.integer ?? 0) }
        let total = scopes.reduce(0) { $0 + ($1["total"]?.integer ?? 0) }
        let left = scopes.compactMap { $0["remainingMs"]?.integer }.max() ?? 0
        let bar = ProgressBar.line("asking Apple", Int(done), of: Int(total))
        console.draw("\r\(bar), about \(Remaining.text(milliseconds: left)) left\u{1B}[K")
      }
      usleep(200_000)
    }
  }

  private static func line(_ scope: JSONValue) -> String {
    func number(_ name: String) -> String { String(scope[name]?.integer ?? 0) }
    let place = "\(scope["app"]?.string ?? "") \(scope["environment"]?.string ?? "")"
    return "\(place): \(number("pages")) pages of history, \(number("gaps")) gaps, "
      + "\(number("asked")) purchases asked about, \(number("notFound")) unknown to Apple, "
      + "\(number("failed")) without an answer"
  }
}
