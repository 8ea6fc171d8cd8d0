package import AppStoreModel
package import AppStoreServerAPI
package import AppStoreVerification

extension AppStoreServerClient: TestedStore {
  package var skew: TimeSpan? { observedSkew }

  package func requestTest(
    in environment: ServerEnvironment
  ) async throws(AppStoreServerError) -> String {
    try await requestTestNotification(
      CallOptions(environment, urgency: .urgent, patience: .seconds(30)))
  }

  package func fate(
    of token: String, in environment: ServerEnvironment
  ) async throws(AppStoreServerError) -> SentNotification {
    try await testNotificationStatus(
      token, CallOptions(environment, urgency: .urgent, patience: .seconds(10)))
  }
}
