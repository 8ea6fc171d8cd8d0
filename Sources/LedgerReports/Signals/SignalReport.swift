public import AppStoreModel
public import EntitlementLedger

/// How late each channel brought refunds, and how many it alone would have missed.
public struct SignalReport: Hashable, Sendable {
  /// What one channel did.
  public struct Line: Hashable, Sendable {
    public let channel: Channel
    /// Refunds that it brought at all.
    public let brought: Int64
    /// Refunds of which it was the first to tell.
    public let first: Int64
    /// Refunds that this channel alone would not have brought.
    public let missedAlone: Int64
    /// `nil` without a refund whose delay counts.
    public let delays: Delays?
  }

  /// From Apple's date to our receipt, over the refunds that are not backfilled.
  public struct Delays: Hashable, Sendable {
    public let median: TimeSpan
    public let p95: TimeSpan
    public let worst: TimeSpan

    /// The nearest-rank quantiles: each is a delay that was measured.
    init?(_ delays: [TimeSpan]) {
      let sorted = delays.sorted()
      guard let last = sorted.last else { return nil }
      median = sorted[(sorted.count + 1) / 2 - 1]
      p95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
      worst = last
    }
  }

  /// All refunds that were looked at.
  public let refunds: Int64
  /// Those from before the app was first heard of here, of which no delay counts.
  public let backfilled: Int64
  /// Those without any sighting on record.
  public let unsighted: Int64
  /// From Apple's date to the first sighting by any channel.
  public let anyChannel: Delays?
  /// One for each channel, in a fixed order.
  public let lines: [Line]

  /// Reads refunds; backfilled ones count as refunds and nowhere else.
  public init(_ refunds: [SightedRefund]) {
    let live = refunds.filter { !$0.isBackfilled && $0.first != nil }
    self.refunds = Int64(refunds.count)
    backfilled = Int64(refunds.count { $0.isBackfilled })
    unsighted = Int64(refunds.count { !$0.isBackfilled && $0.first == nil })
    anyChannel = Delays(live.compactMap { refund in refund.first.map(refund.delay) })
    lines = Channel.allCases.map { Line($0, live) }
  }
}

extension SignalReport.Line {
  fileprivate init(_ channel: Channel, _ refunds: [SightedRefund]) {
    let delays = refunds.compactMap { refund in
      refund.sighting(by: channel).map(refund.delay)
    }
    self.channel = channel
    brought = Int64(delays.count)
    first = Int64(refunds.count { $0.first?.channel == channel })
    missedAlone = Int64(refunds.count - delays.count)
    self.delays = SignalReport.Delays(delays)
  }
}
