/// The apps and environments that an operator accepts data of.
///
/// The verified payload picks within this set and can never widen it. What an archive tool or an
/// inspection takes is ``any`` or ``comparing(bundleID:appAppleID:environment:)``; a server names
/// its apps.
public struct AllowedOrigins: Sendable {
  enum Apps: Hashable, Sendable {
    case any
    case listed([String: ExpectedApp])
    /// Compares what is given, for an inspection.
    case compared(bundleID: String?, appAppleID: Int64?)
  }

  /// Every app and both environments.
  public static let any = AllowedOrigins(apps: .any, environments: nil)

  let apps: Apps
  /// `nil` takes any that Apple signs.
  let environments: Set<ServerEnvironment>?

  private init(apps: Apps, environments: Set<ServerEnvironment>?) {
    self.apps = apps
    self.environments = environments
  }

  /// What a server accepts.
  ///
  /// - Throws: ``VerificationConfigurationError`` when there is no app or environment, an app is
  ///   named twice, or an app lacks the App Store id that Production needs.
  public init(
    apps: [ExpectedApp], environments: Set<ServerEnvironment>
  ) throws(VerificationConfigurationError) {
    guard !apps.isEmpty else { throw .noApps }
    guard !environments.isEmpty else { throw .noEnvironments }
    var listed: [String: ExpectedApp] = [:]
    for app in apps {
      guard !app.bundleID.isEmpty else { throw .emptyBundleID }
      guard listed.updateValue(app, forKey: app.bundleID) == nil else {
        throw .duplicateApp(bundleID: app.bundleID)
      }
      guard app.appAppleID != nil || !environments.contains(.production) else {
        throw .missingAppAppleID(bundleID: app.bundleID)
      }
    }
    self.init(apps: .listed(listed), environments: environments)
  }

  /// What an inspection compares; `nil` compares nothing.
  public static func comparing(
    bundleID: String?, appAppleID: Int64?, environment: ServerEnvironment?
  ) -> AllowedOrigins {
    AllowedOrigins(
      apps: .compared(bundleID: bundleID, appAppleID: appAppleID),
      environments: environment.map { [$0] })
  }
}
