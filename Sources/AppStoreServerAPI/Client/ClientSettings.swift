public import AppStoreModel

/// How a client asks; as made it asks Apple within Apple's limits.
public struct ClientSettings: Hashable, Sendable {
  public var hosts = AppStoreHosts.apple
  public var limits = RateLimits()
  public var transport = TransportSettings()
  /// How many calls to one endpoint may be on their way.
  public var mostRunning = 16
  /// How many may wait for one endpoint.
  public var mostWaiting = 10_000
  /// How often one call is sent at most when the App Store is in trouble.
  public var mostAttempts = 5
  /// How long to rest after the first of them.
  public var firstDelay = TimeSpan(milliseconds: 500)

  public init() {}
}
