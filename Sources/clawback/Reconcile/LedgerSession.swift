import AppStoreModel
import AppStoreServerAPI
import LedgerServer
import LedgerStorage
import SQLiteStorage

/// Speaks to the running server about questions to Apple, or asks them itself while none runs.
///
/// Unlike an ``Operator`` it goes on between two commands.
final class LedgerSession {
  private let socketPath: String?
  private let operations: Operations?
  private let reconciliation: Reconciliation?
  private let ledger: Ledger?
  private let log: Log?

  /// Whether a server does the work, and goes on with it when this process ends.
  var isServed: Bool { operations == nil }

  init(_ configuration: Configuration) throws(CommandFailure) {
    let path = try OpenedLedger.socketPath(of: configuration)
    if let path, LedgerSession.answers(path) {
      socketPath = path
      (operations, reconciliation, ledger, log) = (nil, nil, nil, nil)
      return
    }
    socketPath = nil
    let store = try OpenedLedger.open(configuration, socketPath: nil)
    let ledger = Ledger(store: store, rules: configuration.ledgerRules)
    let log = Log(descriptor: -1)
    do throws(ServiceError) {
      let verifier = try configuration.verifier()
      let clients = try configuration.appStoreClients { _ in }
      let reconciliation = try Reconciliation(
        configuration, ledger, verifier, source: AppStoreSource(clients), log: log)
      operations = Operations(
        ledger: ledger, verifier: verifier, configuration: configuration,
        reconciliation: reconciliation)
      self.reconciliation = reconciliation
      self.ledger = ledger
      self.log = log
    } catch {
      store.close()
      throw CommandFailure("\(error).", advice: error.advice, code: .unusable)
    }
  }

  private static func answers(_ path: String) -> Bool {
    let request = JSONValue.object([.init("command", .string("reconcile.progress"))])
    return LocalSocket.ask(request.json, at: path) != nil
  }

  /// Begins to ask, where no server does.
  func start(endsAfterPass: Bool) throws(CommandFailure) {
    guard let ledger else { return }
    do throws(StoreError) {
      // Only one process writes to a store: whoever held a lease of it has ended.
      try ledger.wait { completion in
        ledger.write(completion) { (recorder) throws(StoreError) in try recorder.dropLeases() }
      }
    } catch {
      throw CommandFailure("\(error).", advice: error.advice)
    }
    reconciliation?.start(endsAfterPass: endsAfterPass)
  }

  /// - Throws: ``CommandFailure`` with the answer's own error.
  func ask(
    _ command: String, _ members: [JSONValue.Member] = []
  ) throws(CommandFailure) -> JSONValue {
    let request = JSONValue.object([JSONValue.Member("command", .string(command))] + members)
    let bytes =
      operations?.run(request) ?? socketPath.flatMap { LocalSocket.ask(request.json, at: $0) }
    guard let bytes, let answer = try? JSONValue(json: bytes) else {
      throw CommandFailure(
        "The server stopped answering.", advice: "Run it again: it goes on where it stopped.")
    }
    if let error = answer["error"]?.string { throw CommandFailure(error) }
    return answer
  }

  func close() {
    reconciliation?.stop()
    ledger?.store.close()
    log?.close()
  }
}
