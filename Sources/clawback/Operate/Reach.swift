import AppStoreModel
import LedgerServer

/// The app and environment that a command is about, and the way to the ledger's routes there.
///
/// Nothing is guessed: who gives access or forgets somebody in the wrong environment notices too late.
struct Reach {
  static let app = Option<String?>.text(
    "app", "BUNDLE-ID", "The app. Default: the only one of the configuration.")
  static let environment = Option<String?>.choice(
    "environment", ["Production", "Sandbox"],
    "The environment. Default: the only one of the configuration.")
  static let options: [any Parameter] = [ConfigurationFile.option, app, environment]

  private let routes: LedgerRoutes
  let app: String
  let environment: String

  init(_ arguments: Arguments) throws(CommandFailure) {
    routes = try LedgerRoutes(arguments)
    let configuration = routes.configuration
    app = try Self.only(
      arguments[Self.app], of: configuration.apps.map(\.bundleId), "apps", "--app")
    environment = try Self.only(
      arguments[Self.environment], of: configuration.environments.map(\.rawValue).sorted(),
      "environments", "--environment")
  }

  /// What a route of the API answers.
  ///
  /// - Throws: ``CommandFailure`` with the answer's own error.
  func ask(
    _ method: String, _ path: String..., body: [JSONValue.Member] = [],
    query: [JSONValue.Member] = []
  ) throws(CommandFailure) -> JSONValue {
    try routes.ask(
      method, path, body: body, query: query, app: app, environment: environment)
  }

  private static func only(
    _ stated: String?, of all: [String], _ what: String, _ option: String
  ) throws(CommandFailure) -> String {
    if let stated { return stated }
    guard let one = all.first, all.count == 1 else {
      throw CommandFailure(
        "The configuration has several \(what): \(all.joined(separator: ", ")).",
        advice: "Name the one that is meant with \(option).", code: .unusable)
    }
    return one
  }
}
