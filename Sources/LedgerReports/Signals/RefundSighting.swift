public import AppStoreModel
public import EntitlementLedger

/// When a channel first brought a signed copy that showed a refund.
public struct RefundSighting: Hashable, Sendable {
  public let channel: Channel
  /// When we received it.
  public let receivedAt: Timestamp
  /// When the copy was signed; for a device its own claim of when it knew, which is only shown.
  public let signedAt: Timestamp

  public init(channel: Channel, receivedAt: Timestamp, signedAt: Timestamp) {
    self.channel = channel
    self.receivedAt = receivedAt
    self.signedAt = signedAt
  }
}

/// One refund and who knew of it when.
public struct SightedRefund: Hashable, Sendable {
  /// Apple's own date: that of the refund's revocation.
  public let refundedAt: Timestamp
  /// At most one a channel.
  public let sightings: [RefundSighting]
  /// Whether Apple's date lies before the app was first heard of here: nobody here could know then.
  public let isBackfilled: Bool

  public init(refundedAt: Timestamp, sightings: [RefundSighting], appHeardOfAt: Timestamp?) {
    self.refundedAt = refundedAt
    self.sightings = sightings.sorted { ($0.receivedAt, $0.order) < ($1.receivedAt, $1.order) }
    isBackfilled = appHeardOfAt.map { refundedAt < $0 } ?? false
  }

  /// The channel that was first, and when; `nil` where no sighting is on record.
  public var first: RefundSighting? { sightings.first }

  public func sighting(by channel: Channel) -> RefundSighting? {
    sightings.first { $0.channel == channel }
  }

  /// From Apple's date to our receipt; zero where a clock of ours was behind Apple's.
  public func delay(of sighting: RefundSighting) -> TimeSpan {
    max(.zero, sighting.receivedAt.span(since: refundedAt))
  }
}

extension RefundSighting {
  fileprivate var order: Int { Channel.allCases.firstIndex(of: channel) ?? 0 }
}
