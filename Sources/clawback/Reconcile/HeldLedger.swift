import AppStoreServerAPI
import LedgerServer
import LedgerStorage
import SQLiteStorage

/// The ledger in the hands of this process, with what asks Apple about it.
///
/// As with a server, other commands are answered over the owner-only socket beside it.
final class HeldLedger {
  let operations: Operations
  private let ledger: Ledger
  private let reconciliation: Reconciliation
  private let socket: OperationsSocket?
  private let log: Log

  /// - Throws: ``CommandFailure``; the log stays open then.
  init(
    _ configuration: Configuration, socketPath: String?, log: Log
  ) throws(CommandFailure) {
    // A ledger too deep in folders for a socket beside it is worked on without one.
    let socketPath = socketPath.flatMap { LocalSocket.canBe(at: $0) ? $0 : nil }
    let store = try OpenedLedger.open(configuration, socketPath: socketPath)
    do throws(ServiceError) {
      let ledger = Ledger(store: store, rules: configuration.ledgerRules)
      let verifier = try configuration.verifier()
      let clients = try configuration.appStoreClients(observe: log.note)
      let reconciliation = try Reconciliation(
        configuration, ledger, verifier, source: AppStoreSource(clients), log: log)
      let operations = Operations(
        ledger: ledger, verifier: verifier, configuration: configuration,
        reconciliation: reconciliation)
      socket = try socketPath.map { (path) throws(ServiceError) in
        try OperationsSocket(path: path, operations: operations)
      }
      self.operations = operations
      self.reconciliation = reconciliation
      self.ledger = ledger
      self.log = log
    } catch {
      store.close()
      throw CommandFailure(error)
    }
  }

  /// Begins to ask.
  func start(endsAfterPass: Bool) throws(CommandFailure) {
    do throws(StoreError) {
      // Only one process writes to a store: whoever held a lease of it has ended.
      try ledger.wait { completion in
        ledger.write(completion) { (recorder) throws(StoreError) in try recorder.dropLeases() }
      }
    } catch {
      throw CommandFailure("\(error)", advice: error.advice)
    }
    reconciliation.start(endsAfterPass: endsAfterPass)
  }

  func close() {
    socket?.close()
    reconciliation.stop()
    ledger.store.close()
    log.close()
  }
}
