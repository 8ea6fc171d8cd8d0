package import AppStoreModel

/// How a reconciler rests until there is something to do; a test lets time pass instead.
package struct ReconciliationPause: Sendable {
  /// A second at most, so that what is asked for meanwhile is noticed.
  package static let standard = ReconciliationPause { until, now in
    let span = until.millisecondsSince1970 &- now.millisecondsSince1970
    try? await Task.sleep(for: .milliseconds(min(max(span, 10), 1_000)))
  }

  let rest: @Sendable (_ until: Timestamp, _ now: Timestamp) async -> Void

  package init(_ rest: @escaping @Sendable (Timestamp, Timestamp) async -> Void) {
    self.rest = rest
  }
}
