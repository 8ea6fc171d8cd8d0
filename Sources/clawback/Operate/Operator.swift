import AppStoreModel
import LedgerServer
import LedgerStorage
import SQLiteStorage

/// Carries an operations command to the running server, or does it on the ledger while none runs.
struct Operator {
  let configuration: Configuration
  /// Whether a ledger is made where there is none.
  var makesLedger = false

  /// How long a server may take, in seconds.
  var patience = 60

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

  private func silence(_ path: String) -> CommandFailure {
    CommandFailure(
      "The server at \(path) took the request and has not answered within \(patience) seconds.",
      advice: "It is stopped, or has too much to do: look at its process and its log. Whether the "
        + "request is carried out yet is not known.")
  }

  private func answer(_ request: JSONValue) throws(CommandFailure) -> [UInt8] {
    if let path = try OpenedLedger.socketPath(of: configuration) {
      switch LocalSocket.question(request.json, at: path, patience: patience) {
      case .line(let answer): return answer
      case .silent: throw silence(path)
      case .absent: break
      }
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
