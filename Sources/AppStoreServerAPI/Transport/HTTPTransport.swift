import AppStoreModel

/// A request as it goes over the wire.
struct HTTPCall: Hashable, Sendable {
  var method: String
  var url: String
  /// Shape: `Name: value`.
  var headers: [String]
  var body: [UInt8]?
  var timeout: TimeSpan
  /// Whether it may arrive twice.
  var mayBeRepeated = true
}

/// Sends requests: the only part that touches the network.
protocol HTTPTransport: Sendable {
  /// Sends one request; ends at once when the task is cancelled.
  func send(_ call: HTTPCall) async throws(TransportFailure) -> HTTPAnswer
}
