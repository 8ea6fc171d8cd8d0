public import AppStoreModel

/// What was spent on one refunded purchase, by what could be known at the time.
///
/// Late is what was spent from Apple's date on, and before Apple undid the refund.
public struct LateSpend: Hashable, Sendable {
  /// Spent before Apple's date.
  public private(set) var before = SpentAmounts()
  /// Spent from Apple's date on, before our first sighting.
  public private(set) var unseen = SpentAmounts()
  /// Spent from our first sighting on.
  public private(set) var ignored = SpentAmounts()
  /// Spent after Apple undid the refund: not late.
  public private(set) var afterReversal = SpentAmounts()
  /// Holds that our first sighting found open and that were never spent.
  public private(set) var stoppedHolds: Int64 = 0
  public private(set) var stopped = SpentAmounts()

  /// Divides what was spent.
  ///
  /// - Parameters:
  ///   - spends: What was spent on the purchase, at any time.
  ///   - holds: Holds on it that were revoked and not settled.
  ///   - refundedAt: Apple's date.
  ///   - firstSeenAt: When any channel first told us; `nil` where no sighting is on record, and then
  ///     nothing counts as ignored.
  ///   - reversedAt: When Apple undid it; `nil` while it stands.
  public init(
    spends: [Spend], holds: [StoppedHold], refundedAt: Timestamp, firstSeenAt: Timestamp?,
    reversedAt: Timestamp?
  ) {
    for spend in spends {
      if spend.at < refundedAt {
        before.add(spend.amount)
      } else if let reversedAt, spend.at >= reversedAt {
        afterReversal.add(spend.amount)
      } else if let firstSeenAt, spend.at >= firstSeenAt {
        ignored.add(spend.amount)
      } else {
        unseen.add(spend.amount)
      }
    }
    guard let firstSeenAt else { return }
    for hold in holds where hold.isOpen(at: firstSeenAt) {
      stoppedHolds += 1
      stopped.add(hold.amount)
    }
  }

  public var isLate: Bool { !unseen.isEmpty || !ignored.isEmpty }
}

/// An amount that was spent on a purchase.
public struct Spend: Hashable, Sendable {
  public let amount: SpentAmount
  public let at: Timestamp

  public init(amount: SpentAmount, at: Timestamp) {
    self.amount = amount
    self.at = at
  }
}

extension Spend {
  /// The same as several, where it is equal amounts at equal distances and moments fall among them.
  ///
  /// - Parameters:
  ///   - count: How many amounts it is; they add up to it, exactly.
  ///   - span: How far they are apart; the first is at ``at``.
  ///   - moments: Each amount is wholly before or not before each of these.
  /// - Returns: Spends in order, which add up to it.
  public func divided(into count: Int64, each span: TimeSpan, at moments: [Timestamp]) -> [Spend] {
    guard count > 1, span.milliseconds > 0 else { return [self] }
    let cuts = moments.map { moment in
      let length = moment.millisecondsSince1970 - at.millisecondsSince1970
      let (whole, rest) = max(0, length).quotientAndRemainder(dividingBy: span.milliseconds)
      return min(count, whole + (rest > 0 ? 1 : 0))
    }
    let places = Set(cuts + [0, count]).sorted()
    return zip(places, places.dropFirst()).map { first, last in
      Spend(
        amount: SpentAmount(
          microunits: amount.microunits / count * (last - first), currency: amount.currency),
        at: at.adding(TimeSpan(milliseconds: first * span.milliseconds)))
    }
  }
}

/// A hold that ended because access was taken back.
public struct StoppedHold: Hashable, Sendable {
  public let amount: SpentAmount
  public let decidedAt: Timestamp
  public let endedAt: Timestamp

  public init(amount: SpentAmount, decidedAt: Timestamp, endedAt: Timestamp) {
    self.amount = amount
    self.decidedAt = decidedAt
    self.endedAt = endedAt
  }

  func isOpen(at moment: Timestamp) -> Bool {
    decidedAt <= moment && moment <= endedAt
  }
}
