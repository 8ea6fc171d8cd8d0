import HTTPListener
import AppStoreModel
import JSON5

extension Limits {
  /// Replaces the limits that a configuration file states.
  mutating func read(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: [
      "bodyBytes", "bodyBytesInFlight", "bodyBytesPerAddress", "connections",
      "connectionsPerAddress", "headerMs",
      "bodyMs", "writeMs", "idleMs", "shutdownMs", "deviceItems", "deviceRequestsPerMinute",
      "unknownChainsPerMinute", "requestsWaiting", "streams", "streamsPerKey",
      "streamsPerAddress",
    ])
    try number(&http.bodySize, "bodyBytes", file, 1_024...16_777_216)
    try number(&http.bodiesInFlight, "bodyBytesInFlight", file, 1_024...4_294_967_296)
    try number(&http.bodiesInFlightPerAddress, "bodyBytesPerAddress", file, 1_024...4_294_967_296)
    try number(&http.connections, "connections", file, 1...1_000_000)
    try number(&http.connectionsPerAddress, "connectionsPerAddress", file, 1...1_000_000)
    try span(&http.headerTime, "headerMs", file)
    try span(&http.bodyTime, "bodyMs", file)
    try span(&http.writeTime, "writeMs", file)
    try span(&http.idleTime, "idleMs", file)
    try span(&http.shutdownTime, "shutdownMs", file)
    try number(&deviceItems, "deviceItems", file, 1...1_000)
    try number(&deviceRequestsPerMinute, "deviceRequestsPerMinute", file, 1...1_000_000)
    try number(&unknownChainsPerMinute, "unknownChainsPerMinute", file, 1...1_000_000)
    try number(&requestsWaiting, "requestsWaiting", file, 1...1_000_000)
    try number(&streams, "streams", file, 1...100_000)
    try number(&streamsPerKey, "streamsPerKey", file, 1...100_000)
    try number(&streamsPerAddress, "streamsPerAddress", file, 1...100_000)
  }

  private func number(
    _ limit: inout Int, _ name: String, _ file: JSON5Object, _ range: ClosedRange<Int64>
  ) throws(JSON5Error) {
    if let value = try file.integer(name, in: range) { limit = Int(value) }
  }

  private func span(
    _ limit: inout TimeSpan, _ name: String, _ file: JSON5Object
  ) throws(JSON5Error) {
    if let value = try file.integer(name, in: 1...86_400_000) {
      limit = TimeSpan(milliseconds: value)
    }
  }
}
