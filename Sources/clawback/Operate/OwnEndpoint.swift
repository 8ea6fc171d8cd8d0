import AppStoreModel
import LedgerServer
import LedgerStorage

/// Where this installation's notifications arrive: the running server, or one that is started for the
/// time being.
final class OwnEndpoint: TestedEndpoint {
  private enum Server {
    case running(socketPath: String)
    case started(LedgerService, Log)
    case none
  }

  private let server: Server

  private init(_ server: Server) {
    self.server = server
  }

  /// Finds the running server, or starts one on the configured ledger: what arrives meanwhile is kept
  /// as always.
  ///
  /// - Parameters:
  ///   - configuration: What the operator states.
  ///   - log: Where the one that is started writes; closed with the endpoint.
  /// - Returns: One that nothing arrives at where neither can be had, and what was found.
  static func open(
    _ configuration: Configuration, log: Log
  ) -> (endpoint: OwnEndpoint, finding: Finding) {
    do throws(CommandFailure) {
      let path = try OpenedLedger.socketPath(of: configuration)
      if let path, serves(path) {
        log.close()
        return (
          OwnEndpoint(.running(socketPath: path)), Finding(.server, .ok, "The server is running.")
        )
      }
      return try start(configuration, socketPath: path, log)
    } catch {
      log.close()
      let finding = Finding(
        .server, .failed, Finding.sentence(error.description), advice: error.advice)
      return (OwnEndpoint(.none), finding)
    }
  }

  /// Whether a server answers at a socket; a command that holds the ledger does not take notifications.
  private static func serves(_ path: String) -> Bool {
    guard let answer = LocalSocket.ask(question("").json, at: path) else { return false }
    return (try? JSONValue(json: answer))?["isServing"] != .bool(false)
  }

  private static func start(
    _ configuration: Configuration, socketPath: String?, _ log: Log
  ) throws(CommandFailure) -> (endpoint: OwnEndpoint, finding: Finding) {
    var configuration = configuration
    configuration.socketPath = socketPath
    let store: any LedgerStore = try OpenedLedger.open(configuration, socketPath: socketPath)
    do throws(ServiceError) {
      let service = try LedgerService(configuration, store: store, log: log)
      let finding = Finding(
        .server, .ok, "No server was running; doctor serves at port \(service.port) meanwhile.")
      return (OwnEndpoint(.started(service, log)), finding)
    } catch {
      store.close()
      throw CommandFailure(error)
    }
  }

  private static func question(_ uuid: String) -> JSONValue {
    .object([
      .init("command", .string("notifications.find")), .init("notificationUUID", .string(uuid)),
    ])
  }

  func arrival(ofNotification uuid: String) -> Timestamp? {
    let question = OwnEndpoint.question(uuid)
    let answer: [UInt8]? =
      switch server {
      case .running(let path): LocalSocket.ask(question.json, at: path)
      case .started(let service, _): service.operations.run(question)
      case .none: nil
      }
    let json = answer.flatMap { try? JSONValue(json: $0) }
    return json?["receivedAtMs"]?.integer.map { Timestamp(millisecondsSince1970: $0) }
  }

  func close() {
    guard case .started(let service, let log) = server else { return }
    service.stop()
    log.close()
  }
}
