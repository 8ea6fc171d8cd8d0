import AppStoreModel
import AppStoreServerAPI
import LedgerServer
import LedgerStorage
import SQLiteStorage

/// Speaks to the process that holds the ledger about questions to Apple, or holds it and asks them itself.
///
/// Unlike an ``Operator`` it goes on between two commands, and answers those of others meanwhile.
final class LedgerSession {
  private let socketPath: String?
  private let held: HeldLedger?

  /// Joins whoever holds the ledger, or opens it.
  ///
  /// - Parameters:
  ///   - configuration: What the operator states.
  ///   - log: Where to write what happens; closed with the session.
  /// - Throws: ``CommandFailure``, also where another process that answers nothing holds the ledger.
  init(_ configuration: Configuration, log: Log) throws(CommandFailure) {
    let path: String?
    do throws(CommandFailure) {
      try LedgerSession.refuseMute(configuration)
      path = try OpenedLedger.socketPath(of: configuration)
      if let path, LedgerSession.answers(path) {
        (socketPath, held) = (path, nil)
        log.close()
        return
      }
      held = try HeldLedger(configuration, socketPath: path, log: log)
    } catch {
      log.close()
      throw error
    }
    socketPath = nil
  }

  /// Whether another process does the work, and goes on with it when this one ends.
  var isServed: Bool { held == nil }

  /// Refuses a configuration under which Apple can be asked nothing.
  private static func refuseMute(_ configuration: Configuration) throws(CommandFailure) {
    guard configuration.apps.allSatisfy({ $0.appStoreConnect == nil }) else { return }
    throw CommandFailure(
      "No app of the configuration has an App Store Connect key, so Apple cannot be asked.",
      advice:
        "Add appStoreConnect with keyFile, keyId and issuerId to the app; 'clawback init' writes "
        + "a file that explains them, and 'clawback doctor' checks them.",
      code: .unusable)
  }

  private static func answers(_ path: String) -> Bool {
    let request = JSONValue.object([.init("command", .string("reconcile.progress"))])
    return LocalSocket.ask(request.json, at: path) != nil
  }

  /// Begins to ask, where no other process does.
  func start(endsAfterPass: Bool) throws(CommandFailure) {
    try held?.start(endsAfterPass: endsAfterPass)
  }

  /// - Throws: ``CommandFailure`` with the answer's own error.
  func ask(
    _ command: String, _ members: [JSONValue.Member] = []
  ) throws(CommandFailure) -> JSONValue {
    let request = JSONValue.object([JSONValue.Member("command", .string(command))] + members)
    let bytes =
      held?.operations.run(request) ?? socketPath.flatMap { LocalSocket.ask(request.json, at: $0) }
    guard let bytes, let answer = try? JSONValue(json: bytes) else {
      throw CommandFailure(
        "The process that holds the ledger and did the work has ended.",
        advice: "Run it again: it goes on where that one stopped.")
    }
    if let failure = CommandFailure(answer: answer) { throw failure }
    return answer
  }

  func close() { held?.close() }
}
