package import AppStoreModel

/// The app that a simulated App Store sells for.
package struct SimulatedApp: Hashable, Sendable {
  package var bundleId: String
  package var appAppleId: Int64
  package var bundleVersion: String
  package var environment: AppStoreEnvironment

  package init(
    bundleId: String = "com.example.app", appAppleId: Int64 = 1_234_567_890,
    bundleVersion: String = "1", environment: AppStoreEnvironment = .sandbox
  ) {
    self.bundleId = bundleId
    self.appAppleId = appAppleId
    self.bundleVersion = bundleVersion
    self.environment = environment
  }
}
