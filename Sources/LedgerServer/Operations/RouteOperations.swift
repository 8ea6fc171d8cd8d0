import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// What an operator does by routes of the API from the command line: by the same rules and with the
/// same answers, with every configured app in reach.
///
/// Shape: `{"command":"route","method":"POST","path":["v1","customers","u","grants"],"app":"…",
/// "environment":"Sandbox","query":{"after":"…"},"body":{…}}`.
struct RouteOperations: Sendable {
  /// By whom a record says that something was stated.
  static let operatorName = "command line"

  let ledger: Ledger
  let configuration: Configuration
  let clock: ServerClock
  /// Whether a server has the ledger, which took over the configuration's rules when it started.
  let isServing: Bool

  /// The answer of the route that is named; `nil` for a command of others.
  func answer(_ request: JSONValue) throws(Problem) -> [UInt8]? {
    guard request["command"]?.string == "route" else { return nil }
    if !isServing { try adoptRules() }
    let readers = ReaderPool(ledger)
    defer { readers.close() }
    let method = request["method"]?.string ?? ""
    let path = request["path"]?.array?.compactMap(\.string) ?? []
    guard let found = routes(readers).route(of: method, at: path) else {
      throw Problem(.badParameter, "There is no such command.").advising(
        Operations.otherVersion)
    }
    let answer = AwaitedAnswer<HTTPResponse>()
    let key = try key(request)
    let call = Call(
      request: httpRequest(request, method, path, found.route), parameters: found.parameters,
      key: key,
      realm: ledger.realm)
    try found.route.run(call) { answer.give($0) }
    return try answer.take().body
  }

  /// Stored answers may have been made by rules of before: what the configuration says now counts first.
  private func adoptRules() throws(Problem) {
    do throws(StoreError) {
      let now = clock.now()
      _ = try ledger.wait { ledger.adoptRules(now: now, completion: $0) }
      try ledger.wait { ledger.fillLots(now: now, completion: $0) }
    } catch {
      throw Problem(.storeUnavailable, error.description + ". " + error.advice)
    }
  }

  /// Those that operators have commands for.
  private func routes(_ readers: ReaderPool) -> [Route] {
    CustomerRoutes(readers: readers, clock: clock).routes
      + PurchaseRoutes(ledger: ledger, clock: clock).routes
      + ConsentRoutes(ledger: ledger, readers: readers, clock: clock).routes
      + ErasureRoutes(ledger: ledger, clock: clock).routes
      + GrantRoutes(ledger: ledger, readers: readers, clock: clock).routes
      + BalanceRoutes(ledger: ledger, readers: readers, clock: clock).routes
      + AlertRoutes(readers: readers).routes
      + AppRoutes(configuration: configuration, readers: readers).routes
      + CatalogRoutes(
        configuration: configuration, ledger: ledger, readers: readers, clock: clock,
        answersWhenFilled: true
      ).routes
  }

  /// Who asks: an administrator of every app, in one environment.
  ///
  /// Both environments share catalogs, so that without one named it is the weightier one.
  private func key(_ request: JSONValue) throws(Problem) -> APIKey {
    let apps = configuration.apps.map(\.bundleId)
    let standing: AppStoreEnvironment =
      configuration.environments.contains(.production) ? .production : .sandbox
    let environment = request["environment"]?.string ?? standing.rawValue
    let stated = request["app"]?.string
    if let fault = configuration.unreachable([stated].compactMap { $0 }, environment) {
      throw Problem(.badParameter, fault)
    }
    return APIKey(
      name: Self.operatorName, scope: .admin, bundleIds: Set(apps),
      environment: AppStoreEnvironment(rawValue: environment), madeAt: clock.now(),
      secretDigest: [])
  }

  private func httpRequest(
    _ request: JSONValue, _ method: String, _ path: [String], _ route: Route
  ) -> HTTPRequest {
    var query: [(name: String, value: String)] = []
    // A route whose path names the app does not read it from the query.
    if let app = request["app"]?.string, route.queries.contains(.app) { query.append(("app", app)) }
    if case .object(let members)? = request["query"] {
      query += members.compactMap { member in
        member.value.string.map { (name: member.name, value: $0) }
      }
    }
    return HTTPRequest(
      id: "command", method: method, target: RequestTarget(segments: path, query: query),
      body: request["body"]?.json ?? [])
  }
}
