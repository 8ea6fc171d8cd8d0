import AppStoreModel
package import AppStoreServerAPI
import AppStoreVerification
package import EntitlementLedger

/// Sends answers to Apple.
package protocol ConsumptionSender: Sendable {
  /// Whether there is a key to ask Apple with about this app.
  func isConfigured(_ scope: Scope) -> Bool

  /// Sends once, at once or not at all.
  ///
  /// - Returns: The HTTP status of success.
  func send(
    _ answer: CaseAnswer, for transactionId: String, in scope: Scope
  ) async throws(AppStoreServerError) -> Int
}

/// Sends through the clients of Apple's API, one for each app.
package struct AppStoreSender: ConsumptionSender {
  private let servers: [String: any AppStoreServer]

  package init(_ servers: [any AppStoreServer]) {
    self.servers = Dictionary(
      servers.map { ($0.bundleId, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func isConfigured(_ scope: Scope) -> Bool {
    servers[scope.bundleId] != nil && ServerEnvironment(scope.environment) != nil
  }

  package func send(
    _ answer: CaseAnswer, for transactionId: String, in scope: Scope
  ) async throws(AppStoreServerError) -> Int {
    guard let server = servers[scope.bundleId],
      let environment = ServerEnvironment(scope.environment)
    else { throw .cancelled }
    // The case tries again, once it has looked whether the answer may still be given.
    let options = CallOptions(
      environment, urgency: .urgent, patience: .seconds(20), isSingle: true)
    switch answer {
    case .v2(let information):
      return try await server.sendConsumption(information, for: transactionId, options)
    case .v1(let information):
      return try await server.sendConsumption(information, for: transactionId, options)
    }
  }
}
