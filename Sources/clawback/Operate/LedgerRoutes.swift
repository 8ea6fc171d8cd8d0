import AppStoreModel
import LedgerServer

/// Asks routes of the API of whoever holds the ledger, without a key.
struct LedgerRoutes {
  let configuration: Configuration

  init(_ arguments: Arguments) throws(CommandFailure) {
    configuration = try ConfigurationFile.read(arguments[ConfigurationFile.option])
  }

  /// What a route of the API answers.
  ///
  /// - Parameters:
  ///   - method: GET, POST, PUT or DELETE.
  ///   - path: Its segments after `/v1`.
  ///   - body: The members of the body; none is no body.
  ///   - query: What the query says beside the app.
  ///   - app: Whose customers are meant; `nil` where the path names the app.
  ///   - environment: `nil` for what both environments share.
  /// - Returns: The body of the answer.
  /// - Throws: ``CommandFailure`` with the answer's own error.
  func ask(
    _ method: String, _ path: [String], body: [JSONValue.Member] = [],
    query: [JSONValue.Member] = [], app: String? = nil, environment: String? = nil
  ) throws(CommandFailure) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("method", .string(method)),
      .init("path", .array((["v1"] + path).map { .string($0) })),
      .init("query", .object(query)),
    ]
    if !body.isEmpty { members.append(.init("body", .object(body))) }
    if let app { members.append(.init("app", .string(app))) }
    if let environment { members.append(.init("environment", .string(environment))) }
    return try Operator(configuration: configuration).ask("route", members)
  }
}
