import AppStoreModel
import LedgerServer

/// Lists what a person should look at.
struct AlertsListCommand: Command {
  private let app = Option<String?>.text("app", "BUNDLE-ID", "Only this app.")
  private let environment = Option<String?>.choice(
    "environment", ["Production", "Sandbox"], "Only this environment.")

  var usage: Usage {
    Usage(
      "alerts list", "List what nobody knows the meaning of, and the next step for each.",
      discussion: """
        Each is raised once: a product that was bought and that the catalog does not list \
        (unmappedProduct), a value that this version does not know (unknownValue), a revocation of \
        which nobody said whether money goes back (unclassifiedRevocation).
        """,
      options: [ConfigurationFile.option, app, environment, Option<Bool>.json],
      example: "clawback alerts list", exitCodes: [(.success, "They were listed.")])
  }

  func run(_ arguments: Arguments, on console: Console) throws -> ExitCode {
    let routes = try LedgerRoutes(arguments)
    var scopes: [JSONValue] = []
    for app in arguments[app].map({ [$0] }) ?? routes.configuration.apps.map(\.bundleId) {
      let all = routes.configuration.environments.map(\.rawValue).sorted()
      for environment in arguments[environment].map({ [$0] }) ?? all {
        scopes.append(
          .object([
            .init("app", .string(app)), .init("environment", .string(environment)),
            .init("alerts", .array(try Self.alerts(routes, app, environment))),
          ]))
      }
    }
    if arguments[Option<Bool>.json] {
      console.print(scopes: scopes)
    } else {
      show(scopes, on: console)
    }
    return .success
  }

  private static func alerts(
    _ routes: LedgerRoutes, _ app: String, _ environment: String
  ) throws(CommandFailure) -> [JSONValue] {
    var alerts: [JSONValue] = []
    var after: Int64 = 0
    while true {
      let page = try routes.ask(
        "GET", ["alerts"],
        query: [.init("after", .string(String(after))), .init("limit", .string("500"))],
        app: app, environment: environment)
      guard let more = page["alerts"]?.array, !more.isEmpty, let next = page["next"]?.integer
      else { return alerts }
      alerts += more
      after = next
    }
  }

  private func show(_ scopes: [JSONValue], on console: Console) {
    let rows = scopes.flatMap { scope in
      (scope["alerts"]?.array ?? []).map { alert in
        [
          scope.cell("app"), scope.cell("environment"), alert.cell("raisedAtMs"),
          alert.cell("kind"), alert.cell("field"), alert.cell("value"),
        ]
      }
    }
    console.print(
      TextTable(header: ["app", "environment", "raised", "kind", "field", "value"], rows: rows))
    guard !rows.isEmpty else { return console.note("There is no alert.") }
    let kinds = Set(rows.map { $0[3] })
    for (kind, step) in Self.steps where kinds.contains(kind) { console.note("\(kind): \(step)") }
  }

  /// What to do about each kind.
  private static let steps = [
    (
      "unmappedProduct",
      "purchases of it grant nothing until the catalog says what: 'clawback catalog put PRODUCT "
        + "--entitlement NAME' does at once, apps[].products of the configuration with the next "
        + "start."
    ),
    (
      "unknownValue",
      "Apple says something newer than this version knows. It is kept, and access goes by its "
        + "dates; look for a newer version."
    ),
    (
      "unclassifiedRevocation",
      "access ended, and Apple did not say whether money went back: none is counted. "
        + "'clawback reconcile' asks again."
    ),
  ]
}
