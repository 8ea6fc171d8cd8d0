package import AppStoreModel
package import AppStoreServerAPI
import AppStoreVerification

/// Where questions to Apple go, app by app.
package struct AppStoreSource: Sendable {
  /// Says who answers for an app in an environment; `nil` where nobody can be asked.
  let questions:
    @Sendable (Configuration.App, AppStoreEnvironment) throws(ServiceError) -> (
      any AppStoreQuestions
    )?

  package init(
    _ questions:
      @escaping @Sendable (Configuration.App, AppStoreEnvironment) throws(ServiceError) -> (
        any AppStoreQuestions
      )?
  ) {
    self.questions = questions
  }
}

extension AppStoreSource {
  /// Asks the servers of the apps that have one, in whatever environment.
  package init(_ servers: [any AppStoreServer], clock: ServerClock = .system) {
    self.init { (app, environment) throws(ServiceError) in
      guard let server = servers.first(where: { $0.bundleId == app.bundleId }),
        let environment = ServerEnvironment(environment)
      else { return nil }
      return AppStoreServerQuestions(server, in: environment, clock: clock)
    }
  }
}
