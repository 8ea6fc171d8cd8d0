package import AppStoreModel
package import AppStoreServerAPI
package import AppStoreVerification

/// What is asked of the App Store about one app while its set-up is checked.
package protocol TestedStore: Sendable {
  var bundleId: String { get }

  /// How far our clock is behind the store's, by its last answer.
  var skew: TimeSpan? { get }

  /// Shape: a token to ask for the notification's fate with.
  func requestTest(in environment: ServerEnvironment) async throws(AppStoreServerError) -> String

  func fate(
    of token: String, in environment: ServerEnvironment
  ) async throws(AppStoreServerError) -> SentNotification
}

/// Where a test notification should arrive: this installation's own server.
package protocol TestedEndpoint: Sendable {
  /// When a notification was stored; `nil` while it was not.
  func arrival(ofNotification uuid: String) -> Timestamp?
}
