import AppStoreModel
import LedgerStorage

/// How a destination fares, for metrics and for whoever looks.
struct OutletStatus: Hashable, Sendable {
  let destination: Destination
  let failingSince: Timestamp?
  /// How many positions of what is new have not been passed.
  let behind: Int64
  /// How many customers' news wait for another attempt.
  let held: Int
  let underWay: Int
  /// Repetitions of the past that are under way.
  let repetitions: Int
}

extension OutletStatus {
  /// Lines for Prometheus, one of each kind for every destination.
  static func metricsText(_ outlets: [OutletStatus], at now: Timestamp) -> String {
    let gauges: [(name: String, help: String, value: (OutletStatus) -> Int64)] = [
      ("delivery_lag", "Positions that a destination has not been sent yet.", \.behind),
      ("delivery_held", "Customers whose news wait for another attempt.", { Int64($0.held) }),
      ("delivery_under_way", "Requests that are under way.", { Int64($0.underWay) }),
      (
        "delivery_failing_seconds", "Since when nothing has succeeded.",
        { status in
          status.failingSince.map {
            (now.millisecondsSince1970 - $0.millisecondsSince1970) / 1_000
          } ?? 0
        }
      ),
      (
        "delivery_disabled", "1 for a destination that is sent nothing.",
        { $0.destination.disabledAt == nil ? 0 : 1 }
      ),
    ]
    var lines: [String] = []
    for gauge in gauges {
      lines += [
        "# HELP clawback_\(gauge.name) \(gauge.help)", "# TYPE clawback_\(gauge.name) gauge",
      ]
      lines += outlets.map { outlet in
        "clawback_\(gauge.name){destination=\"\(outlet.destination.name)\","
          + "kind=\"\(outlet.destination.kind.rawValue)\"} \(gauge.value(outlet))"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension JSONWriter {
  /// That a destination is not reached at the moment.
  mutating func trouble(of outlet: OutletStatus) {
    let code: String
    if let stop = outlet.destination.disabledBecause {
      // What an operator stopped is no trouble.
      guard stop != .operator else { return }
      code = "webhookDisabled"
    } else if outlet.failingSince != nil {
      code = outlet.destination.kind == .webhook ? "webhookFails" : "forwardingFails"
    } else {
      return
    }
    object { writer in
      writer.member("code", code)
      writer.member("destination", outlet.destination.name)
      writer.member(
        "sinceMs", (outlet.destination.disabledAt ?? outlet.failingSince)?.millisecondsSince1970)
      writer.member("waiting", outlet.behind + Int64(outlet.held))
    }
  }
}
