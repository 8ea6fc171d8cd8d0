import AppStoreModel
import LedgerServer
import LedgerStorage
import SQLiteStorage

/// Carries an operations command to the running server, or does it on the ledger while none runs.
struct Operator {
  let configuration: Configuration
  /// Whether a ledger is made where there is none.
  var makesLedger = false

  /// - Returns: The answer.
  /// - Throws: ``CommandFailure`` with the answer's own error.
  func ask(_ command: String, _ members: [JSONValue.Member] = []) throws(CommandFailure)
    -> JSONValue
  {
    let request = JSONValue.object([JSONValue.Member("command", .string(command))] + members)
    let bytes = try answer(request)
    guard let answer = try? JSONValue(json: bytes) else {
      throw CommandFailure("The server's answer cannot be read.")
    }
    if let failure = CommandFailure(answer: answer) { throw failure }
    return answer
  }

  private func answer(_ request: JSONValue) throws(CommandFailure) -> [UInt8] {
    if let path = try OpenedLedger.socketPath(of: configuration),
      let answer = LocalSocket.ask(request.json, at: path)
    {
      return answer
    }
    let store =
      makesLedger
      ? try OpenedLedger.open(configuration, socketPath: nil)
      : try OpenedLedger.openExisting(configuration)
    defer { store.close() }
    do throws(ServiceError) {
      let ledger = Ledger(store: store, rules: configuration.ledgerRules)
      return Operations(
        ledger: ledger, verifier: try configuration.verifier(), configuration: configuration
      ).run(request)
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension Operator {
  /// For the configuration that a command line names.
  init(_ arguments: Arguments) throws(CommandFailure) {
    self.init(configuration: try ConfigurationFile.read(arguments[ConfigurationFile.option]))
  }
}
