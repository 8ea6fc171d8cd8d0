import AppStoreModel
import Synchronization

/// What the server counts, written in the text format of Prometheus.
final class Metrics: Sendable {
  private struct Name: Hashable {
    let family: String
    let label: String
  }

  private struct State {
    var counts: [Name: Int64] = [:]
    var wrongOrigin: (rule: String, at: Timestamp)?
  }

  private let state = Mutex(State())

  /// Adds one to a counter of a family.
  func count(_ family: String, _ label: String) {
    state.withLock { $0.counts[Name(family: family, label: label), default: 0] += 1 }
  }

  /// Remembers that the configuration refused something which a trusted root signed.
  func noteWrongOrigin(_ rule: String, at now: Timestamp) {
    state.withLock { $0.wrongOrigin = (rule, now) }
  }

  /// The rule of the last such refusal within an hour.
  func wrongOrigin(at now: Timestamp) -> String? {
    state.withLock { state in
      guard let last = state.wrongOrigin, last.at > now.subtracting(.hours(1)) else { return nil }
      return last.rule
    }
  }

  func value(_ family: String, _ label: String) -> Int64 {
    state.withLock { $0.counts[Name(family: family, label: label)] ?? 0 }
  }

  /// The text that Prometheus reads.
  ///
  /// - Parameters:
  ///   - families: What the counters of a family are called, what they mean, and their label's name.
  ///   - gauges: Values of the moment.
  /// - Returns: Lines, each ended by a line feed.
  func text(
    families: [(name: String, help: String, label: String)],
    gauges: [(name: String, help: String, value: Int64)]
  ) -> String {
    let counts = state.withLock { $0.counts }
    var lines: [String] = []
    for family in families {
      lines += ["# HELP clawback_\(family.name)_total \(family.help)"]
      lines += ["# TYPE clawback_\(family.name)_total counter"]
      lines += counts.filter { $0.key.family == family.name }
        .map { "clawback_\(family.name)_total{\(family.label)=\"\($0.key.label)\"} \($0.value)" }
        .sorted()
    }
    for gauge in gauges {
      lines += ["# HELP clawback_\(gauge.name) \(gauge.help)"]
      lines += ["# TYPE clawback_\(gauge.name) gauge", "clawback_\(gauge.name) \(gauge.value)"]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
