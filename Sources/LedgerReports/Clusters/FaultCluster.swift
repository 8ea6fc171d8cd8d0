/// Refunds for a fault that came closer together than their own base rate explains.
public struct FaultCluster: Hashable, Sendable {
  public let group: FaultGroup
  public let firstDay: UTCDay
  public let lastDay: UTCDay
  public let refunds: Int64
  /// What the base rate lets expect, in thousandths of a refund.
  public let expectedThousandths: Int64
  /// The chance of so many or more at the base rate is one in this number, rounded down.
  public let oneIn: Int64

  public init(
    group: FaultGroup, firstDay: UTCDay, lastDay: UTCDay, refunds: Int64,
    expectedThousandths: Int64, oneIn: Int64
  ) {
    self.group = group
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.refunds = refunds
    self.expectedThousandths = expectedThousandths
    self.oneIn = oneIn
  }

  /// How many days the refunds are spread over.
  public var days: Int64 { lastDay.number - firstDay.number + 1 }

  public func contains(_ refund: FaultRefund) -> Bool {
    group.contains(refund.cell) && firstDay <= refund.refundedOn && refund.refundedOn <= lastDay
  }

  /// Shape: `9 refunds for a fault in version 4.2 within 2 days, 0.8 expected`.
  public var sentence: String {
    let time = days == 1 ? "on \(firstDay.text)" : "within \(days) days"
    let tenths = (expectedThousandths + 50) / 100
    let expected = tenths == 0 ? "less than 0.1" : "\(tenths / 10).\(tenths % 10)"
    return "\(refunds) refunds for a fault in \(group.name) \(time), \(expected) expected"
  }
}
