package import AppStoreModel

/// How the simulated App Store's API differs from its best day.
package struct ServerSwitches: Hashable, Sendable {
  /// By how much what the API tells is older than what notifications tell.
  package var lag = TimeSpan.zero
  /// How far the server's clock is ahead of the host's, in the `Date` field and for tokens.
  package var clockSkew = TimeSpan.zero
  /// Whether production knows the app; until then it answers 401.
  package var isReleased = true
  package var pageSize = 20
  /// How long a pagination token can be used.
  package var tokenLife = TimeSpan.hours(24)
  /// How long an extension for all subscribers takes.
  package var massExtensionTime = TimeSpan.hours(2)

  package init() {}
}
