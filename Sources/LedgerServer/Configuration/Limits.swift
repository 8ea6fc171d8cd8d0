public import HTTPListener

/// What the server takes from one client and from all of them together.
public struct Limits: Sendable {
  public var http = HTTPLimits()
  /// How many signed items a device may report in one request.
  public var deviceItems = 100
  /// Of one address, and apart from that of one `appTransactionId`.
  public var deviceRequestsPerMinute = 120
  /// How many texts with a chain that was not seen before one address may have verified: a forged one
  /// costs as much as thirty good ones.
  public var unknownChainsPerMinute = 60
  /// How many requests may wait for a signature check or for the writer.
  public var requestsWaiting = 2_048

  /// How many streams of events, and requests that wait for one, may be open.
  public var streams = 1_024
  public var streamsPerKey = 256
  public var streamsPerAddress = 256

  public init() {}
}
