package import AppStoreModel
package import EntitlementLedger

/// That Apple is to be asked about a chain: why, and from when on.
///
/// A pure rule: the same chain at the same moment always gives the same.
package struct ChainConcern: Hashable, Sendable {
  package let rank: QuestionRank
  package let due: Timestamp

  package init(rank: QuestionRank, due: Timestamp) {
    self.rank = rank
    self.due = due
  }
}

extension ChainConcern {
  /// How much Apple's API may lag: what is doubtful is asked again after it.
  package static let lag = TimeSpan.minutes(15)
  /// How long Apple gives a refund for a purchase in practice, and so how long it is young.
  package static let youth = TimeSpan.days(90)
  private static let longestPause = TimeSpan.days(1)

  /// What a chain calls for when facts have changed it; `nil` leaves it to the general round.
  ///
  /// - Parameters:
  ///   - before: The chain as it was.
  ///   - after: The chain as it is.
  ///   - isDoubtful: Whether its answer has doubts.
  ///   - now: When the facts came.
  package init?(from before: Chain, to after: Chain, isDoubtful: Bool, at now: Timestamp) {
    if isDoubtful {
      self.init(rank: .doubt, due: now)
    } else if after.revocations.count != before.revocations.count
      || after.reversals != before.reversals
    {
      self.init(rank: .revocation, due: now.adding(Self.lag))
    } else if after.transactions.count != before.transactions.count, after.isYoung(at: now) {
      self.init(rank: .youngPurchase, due: now.adding(Self.longestPause))
    } else {
      return nil
    }
  }

  /// What a chain calls for after Apple has answered; `nil` leaves it to the general round.
  ///
  /// - Parameters:
  ///   - chain: With the answer.
  ///   - isDoubtful: Whether it still has doubts.
  ///   - tries: How often it was asked about in this doubt, this time included.
  ///   - now: When Apple answered.
  package init?(answered chain: Chain, isDoubtful: Bool, tries: Int64, at now: Timestamp) {
    if isDoubtful {
      self.init(rank: .doubt, due: now.adding(Self.pause(tries)))
    } else if chain.hasRecentStandingRevocation(at: now) {
      self.init(rank: .revocation, due: now.adding(Self.longestPause))
    } else if chain.isYoung(at: now) {
      self.init(rank: .youngPurchase, due: now.adding(Self.longestPause))
    } else {
      return nil
    }
  }

  /// When to ask again after Apple gave no answer: nothing is dropped, and nothing is hurried.
  package init(failed rank: QuestionRank, tries: Int64, at now: Timestamp) {
    self.init(rank: rank, due: now.adding(Self.pause(tries)))
  }

  /// Fifteen minutes, then twice as long each time, at most a day.
  private static func pause(_ tries: Int64) -> TimeSpan {
    let doublings = min(max(tries - 1, 0), 10)
    return min(TimeSpan(milliseconds: lag.milliseconds << doublings), longestPause)
  }
}

extension Chain {
  /// Whether it holds a one-time purchase that Apple may still refund.
  func isYoung(at now: Timestamp) -> Bool {
    transactions.values.contains { state in
      !state.newest.isSubscription
        && state.newest.purchaseDate > now.subtracting(ChainConcern.youth)
    }
  }

  /// Whether something of it was revoked lately and not given back.
  func hasRecentStandingRevocation(at now: Timestamp) -> Bool {
    revocationAnswers().contains { answer in
      answer.stands && answer.key.revocationDate > now.subtracting(ChainConcern.youth)
    }
  }
}

extension TransactionCopy {
  var isSubscription: Bool {
    switch type {
    case .nonConsumable, .consumable, .nonRenewingSubscription: false
    case .autoRenewableSubscription: true
    case .unknown, nil: expiresDate != nil
    }
  }
}
