/// What the benchmark of revocations measured.
struct RevocationBenchResult: Encodable {
  /// Unit: milliseconds.
  struct Times: Encodable {
    let p50: Double
    let p99: Double
    let worst: Double
    /// What `p99` is to stay under.
    let budget: Double

    /// - Parameters:
    ///   - seconds: One or more.
    ///   - budget: In milliseconds.
    init(seconds: [Double], budget: Double) {
      self.budget = budget
      let sorted = seconds.sorted()
      p50 = Times.milliseconds(sorted, 0.50)
      p99 = Times.milliseconds(sorted, 0.99)
      worst = Times.milliseconds(sorted, 1)
    }

    /// The smallest value that a share of all does not exceed, rounded to hundredths.
    private static func milliseconds(_ sorted: [Double], _ share: Double) -> Double {
      guard !sorted.isEmpty else { return 0 }
      let place = Int((share * Double(sorted.count)).rounded(.up)) - 1
      return (sorted[min(max(place, 0), sorted.count - 1)] * 100_000).rounded() / 100
    }
  }

  let refunds: Int
  /// Notifications a second that the server took in at most.
  let measuredRate: Double
  /// Notifications a second that came in while the refunds were timed.
  let backgroundRate: Double
  let gateDenies: Times
  let eventStreamed: Times
  let webhookReceived: Times

  var lines: [String] {
    [
      "\(refunds) refunds, with \(Int(backgroundRate)) notifications a second beside them "
        + "(\(Int(measuredRate)) were taken in at most)",
      "gate denies        \(text(gateDenies))",
      "event streamed     \(text(eventStreamed))",
      "webhook received   \(text(webhookReceived))",
    ]
  }

  private func text(_ times: Times) -> String {
    "p50 \(times.p50) ms   p99 \(times.p99) ms   worst \(times.worst) ms   "
      + "(p99 is to be under \(Int(times.budget)) ms)"
  }
}
