public import AppStoreModel

/// What a listener takes from one client and from all of them together.
public struct HTTPLimits: Sendable {
  /// Unit: bytes.
  public var bodySize = 1 << 20
  /// Bytes of request bodies that are held at the same time.
  public var bodiesInFlight = 64 << 20
  /// Of which one address may hold so many.
  public var bodiesInFlightPerAddress = 16 << 20
  public var connections = 4_096
  public var connectionsPerAddress = 1_024
  /// From the first sight of a request, or of its connection, to the end of its header.
  public var headerTime = TimeSpan.seconds(5)
  public var bodyTime = TimeSpan.seconds(10)
  public var writeTime = TimeSpan.seconds(10)
  /// How long a connection may stay open without a request.
  public var idleTime = TimeSpan.seconds(60)
  /// How long a shutdown waits for what is in flight.
  public var shutdownTime = TimeSpan.seconds(20)

  public init() {}
}
