import AppStoreModel
import Glibc
import LedgerServer
import LedgerStorage

/// Runs the server until it is told to stop.
struct ServeCommand: Command {
  private let config = ConfigurationFile.option
  private let database = Option<String?>.text(
    "database", "URL",
    "The ledger, in place of the configuration's: sqlite:PATH, from the current folder.")
  private let port = Option<Int?>.number(
    "port", in: 0...65_535, "The port, in place of the configuration's; 0 lets the system choose.")

  var usage: Usage {
    Usage(
      "serve", "Take Apple's notifications, and answer what customers have.",
      discussion: """
        Apple posts to /apple/notifications; a backend asks under /v1 with a key of 'clawback keys \
        create'. The bound address is printed once requests are answered. The log goes to the \
        diagnostics, one JSON object a line.

        SIGTERM or SIGINT stops it: what is in flight is answered first. A second one stops it at once.
        """,
      options: [config, database, port],
      example: "clawback serve --config clawback.json5",
      exitCodes: [
        (.success, "It was told to stop, and did."), (.failure, "It could not start."),
        (.unusable, "The command line or the configuration cannot be used."),
      ])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    var configuration = try ConfigurationFile.read(arguments[config])
    if let database = arguments[database] { configuration.database = database }
    if let port = arguments[port] { configuration.listener.port = UInt16(port) }
    configuration.socketPath = try OpenedLedger.socketPath(of: configuration)
    try check(configuration)
    let signals = StopSignals()
    let store = try OpenedLedger.open(configuration, socketPath: configuration.socketPath)
    let log = Log()
    let service = try start(configuration, store, log)
    let scheme = configuration.listener.certificatePath == nil ? "http" : "https"
    console.print("\(scheme)://\(configuration.listener.host):\(service.port)")
    signals.wait()
    signals.exitAtTheNext()
    service.stop()
    log.close()
    return .success
  }

  /// Finds what is wrong with the configuration before a ledger is opened or made for it.
  private func check(_ configuration: Configuration) throws(CommandFailure) {
    do throws(ServiceError) {
      try LedgerService.check(configuration)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func start(
    _ configuration: Configuration, _ store: any LedgerStore, _ log: Log
  ) throws(CommandFailure) -> LedgerService {
    do throws(ServiceError) {
      return try LedgerService(configuration, store: store, log: log)
    } catch {
      store.close()
      log.close()
      throw CommandFailure(error)
    }
  }
}
