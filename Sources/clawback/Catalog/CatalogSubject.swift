import AppStoreModel
import LedgerServer

/// The app whose catalog or policy a command is about; both environments share it.
struct CatalogSubject {
  static let product = Operand<String>.required("PRODUCT", "The product, by its id.")

  private let routes: LedgerRoutes
  private let path: [String]

  /// - Parameters:
  ///   - arguments: What the user stated.
  ///   - rest: What is meant of the app.
  /// - Throws: ``CommandFailure``, where the configuration has several apps and none is named.
  init(_ arguments: Arguments, _ rest: String...) throws(CommandFailure) {
    routes = try LedgerRoutes(arguments)
    let apps = routes.configuration.apps.map(\.bundleId)
    guard let app = arguments[Reach.app] ?? (apps.count == 1 ? apps.first : nil) else {
      throw CommandFailure(
        "The configuration has several apps: \(apps.joined(separator: ", ")).",
        advice: "Name the one that is meant with --app.", code: .unusable)
    }
    path = ["apps", app] + rest
  }

  func ask(
    _ method: String, body: [JSONValue.Member] = []
  ) throws(CommandFailure) -> JSONValue {
    try routes.ask(method, path, body: body)
  }

  /// Reads the `entries` of a file, as the route takes them.
  ///
  /// Shape: `{"entries":[…]}`.
  static func entries(_ file: String) throws(CommandFailure) -> [JSONValue] {
    let bytes = try InputFile.read(file, mebibytes: 1)
    guard let entries = (try? JSONValue(json: bytes))?["entries"]?.array else {
      throw CommandFailure(
        "\(file) is no JSON object with entries.",
        advice: #"It is {"entries":[{…}]}, as 'PUT /v1/apps/…' takes it."#, code: .unusable)
    }
    return entries
  }
}
