import HTTPListener
import LedgerStorage

/// Where a service listens: for everybody, for what watches it on this machine, and for commands.
struct ServiceListeners {
  let server: HTTPServer
  private(set) var local: HTTPServer?
  private(set) var socket: OperationsSocket?

  /// Errors: ``ServiceError``; nothing listens then.
  init(
    _ parts: ServiceParts, at address: BindAddress, tls: TLSIdentity?, operations: Operations
  ) throws(ServiceError) {
    let (configuration, state) = (parts.configuration, parts.state)
    let routes = parts.routes
    let openAPI = OpenAPI(routes)
    let router = Router(
      routes: routes + [openAPI.route()], keys: parts.keys, realm: parts.ledger.realm,
      observer: state)
    let server = HTTPServer(
      address, tls: tls, loops: configuration.listener.threads ?? LedgerService.processors,
      limits: configuration.limits.http, handler: router)
    guard let server else { throw .unavailable(address) }
    self.server = server
    do throws(ServiceError) {
      local = try ServiceListeners.local(parts, openAPI)
      if let path = configuration.socketPath {
        socket = try OperationsSocket(path: path, operations: operations)
      }
    } catch {
      local?.stop()
      server.stop()
      throw error
    }
  }

  /// Serves what watches the server, to this machine alone and without keys.
  private static func local(
    _ parts: ServiceParts, _ openAPI: OpenAPI
  ) throws(ServiceError) -> HTTPServer? {
    guard let port = parts.configuration.listener.localPort,
      let address = BindAddress(host: "127.0.0.1", port: port)
    else { return nil }
    let routes = HealthRoutes(service: parts.state, access: .open).routes + [openAPI.route(.open)]
    let router = Router(
      routes: routes, keys: parts.keys, realm: parts.ledger.realm, observer: parts.state)
    let server = HTTPServer(
      address, loops: 1, limits: parts.configuration.limits.http, handler: router)
    guard let server else { throw .unavailable(address) }
    return server
  }
}
