public import AppStoreVerification

/// The App Store's limits for one app; as made they are Apple's.
public struct RateLimits: Hashable, Sendable {
  private var overrides: [Endpoint: HourlyLimit] = [:]

  public init() {}

  /// Another limit for production; the sandbox gets a tenth of it.
  public mutating func set(_ limit: HourlyLimit, for endpoint: Endpoint) {
    overrides[endpoint] = limit
  }

  public func limit(_ endpoint: Endpoint, in environment: ServerEnvironment) -> HourlyLimit {
    let production =
      overrides[endpoint] ?? HourlyLimit(callsPerHour: endpoint.callsPerSecond * 3_600)
    guard environment == .sandbox else { return production }
    return HourlyLimit(callsPerHour: production.callsPerHour / 10)
  }
}
