import AppStoreModel

/// How many calls an app may make to one endpoint.
///
/// Apple states calls a second and counts by the hour. We use nine tenths of an hour's calls evenly and
/// one hundredth as a store for bursts; the rest is left to restarts, which fill the store again, and
/// to other programs with the same app.
public struct HourlyLimit: Hashable, Sendable {
  /// Range: 1 and more.
  public let callsPerHour: Int64

  public init(callsPerHour: Int64) {
    self.callsPerHour = max(callsPerHour, 1)
  }

  /// What comes in every hour.
  var refill: Int64 { max(callsPerHour * 9 / 10, 1) }

  /// What may be called at once after a rest.
  var burst: Int64 { max(callsPerHour / 100, 1) }
}
