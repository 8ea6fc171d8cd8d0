import HTTPListener
import AppStoreModel
import AppStoreServerAPI
import AppStoreVerification
import EntitlementLedger
import Glibc
package import LedgerStorage

/// The server: one ledger, served over HTTP.
package final class LedgerService: Sendable {
  package let operations: Operations
  private let parts: ServiceParts
  private let listeners: ServiceListeners
  private let keepers: ServiceKeepers

  package var ledger: Ledger { parts.ledger }
  package var reconciliation: Reconciliation { parts.reconciliation }
  /// The bound port; of interest where the configuration lets the system choose.
  package var port: UInt16 { listeners.server.port }
  /// The bound local port, where there is one.
  package var localPort: UInt16? { listeners.local?.port }
  var clusters: ClusterKeeper { keepers.clusters }

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - configuration: What the operator states.
  ///   - store: Opened for the configuration's realm; closed by ``stop()``.
  ///   - log: Where to write lines; stays open.
  ///   - clock: Tells the time.
  ///   - sender: Sends answers to consumption requests; by the configured keys unless given.
  ///   - appStore: Who answers questions to Apple; `nil` asks as the configuration says.
  /// - Throws: ``ServiceError``; nothing is running then, and the store is still open.
  package init(
    _ configuration: Configuration, store: any LedgerStore, log: Log,
    clock: ServerClock = .system, sender: (any ConsumptionSender)? = nil,
    appStore: AppStoreSource? = nil
  ) throws(ServiceError) {
    signal(SIGPIPE, SIG_IGN)
    let address = try LedgerService.address(configuration.listener)
    let tls = try TLSFiles(configuration.listener)?.identity()
    let parts = try ServiceParts(
      configuration, store: store, log: log, clock: clock, appStore: appStore)
    operations = parts.operations
    do throws(ServiceError) {
      listeners = try ServiceListeners(parts, at: address, tls: tls, operations: operations)
    } catch {
      parts.abandon()
      throw error
    }
    keepers = ServiceKeepers(parts, sender: sender)
    parts.reconciliation.start()
    parts.events.start()
    parts.state.serving(on: listeners.server)
    self.parts = parts
    log.write(
      LogLine(.info, "started").with("host", address.host).with("port", Int64(port))
        .with("localPort", localPort.map { Int64($0) })
        .with("realm", store.realm.description))
  }

  /// Reads every file that a configuration names, and checks what can be checked without a ledger.
  ///
  /// - Throws: ``ServiceError``, of the first thing that would keep a server from starting.
  package static func check(_ configuration: Configuration) throws(ServiceError) {
    _ = try configuration.verifier()
    _ = try address(configuration.listener)
    _ = try TLSFiles(configuration.listener)?.identity()
    _ = try configuration.appStoreClients { _ in }
  }

  /// Stops accepting, answers what is in flight, waits for the writer, and closes the store.
  package func stop() {
    parts.events.stopServing()
    listeners.server.stop()
    listeners.local?.stop()
    parts.state.serving(on: nil)
    listeners.socket?.close()
    reconciliation.stop()
    parts.pool.close()
    keepers.close()
    parts.events.close()
    parts.deliveries.close()
    parts.state.readers.close()
    ledger.store.close()
    parts.log.write(LogLine(.info, "stopped"))
  }

  /// Whether other machines can reach an address without TLS although nobody said that they may.
  private static func address(
    _ listener: Configuration.Listener
  ) throws(ServiceError) -> BindAddress {
    guard let address = BindAddress(host: listener.host, port: listener.port) else {
      throw .badAddress(host: listener.host)
    }
    let isProtected = listener.certificatePath != nil || listener.allowsPlainPublic
    guard address.isLoopback || isProtected else {
      throw .plainPublicAddress(host: listener.host)
    }
    return address
  }

  static var processors: Int { max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
