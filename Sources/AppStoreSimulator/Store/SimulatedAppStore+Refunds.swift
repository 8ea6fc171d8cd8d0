package import AppStoreModel

extension SimulatedAppStore {
  /// Asks how much of a purchase was used: CONSUMPTION_REQUEST.
  ///
  /// - Parameters:
  ///   - transactionId: whose money is asked for.
  ///   - reason: what the customer said.
  ///   - inApp: whether it was asked for in the app, which turns a subscription's renewal off first.
  ///   - now: when.
  /// - Throws: ``StoreRefusal/unknownTransaction(_:)``.
  package mutating func requestRefund(
    of transactionId: String, because reason: ConsumptionRequestReason = .unsatisfiedWithPurchase,
    inApp: Bool = false, at now: Timestamp
  ) throws(StoreRefusal) {
    _ = try transaction(transactionId)
    if inApp, let subscription = subscription(of: transactionId) {
      try setAutoRenewal(false, of: subscription.originalTransactionId, at: now)
    }
    let time = app.environment == .sandbox ? TimeSpan.minutes(5) : .hours(12)
    let request = RefundRequest(
      transactionId: transactionId, reason: reason, askedAt: now, deadline: now.adding(time))
    keep(request, of: transactionId)
    notify(.consumptionRequest, about: transactionId, because: reason, at: now)
  }

  /// Takes down what the app says about a purchase whose money is asked for.
  ///
  /// - Throws: ``StoreRefusal/noRefundRequest(_:)`` when nobody asked, or Apple has decided.
  package mutating func answerRefundRequest(
    of transactionId: String, _ answer: ConsumptionAnswer
  ) throws(StoreRefusal) {
    guard var request = refundRequests[transactionId] else {
      throw .noRefundRequest(transactionId)
    }
    request.answer = answer
    keep(request, of: transactionId)
  }

  /// Decides about a request by what the app answered: REFUND or REFUND_DECLINED.
  ///
  /// The app's preference is followed. A prorated refund of a subscription goes by the time that is
  /// left, and of anything else by what was not consumed, a half if the app does not say.
  @discardableResult
  package mutating func decideRefund(
    of transactionId: String, at now: Timestamp
  ) throws(StoreRefusal) -> RefundDecision {
    guard let request = refundRequests[transactionId] else {
      throw .noRefundRequest(transactionId)
    }
    let decision = decision(request, try transaction(transactionId).payload, at: now)
    switch decision {
    case .declined: try declineRefund(of: transactionId, at: now)
    case .full: try refund(transactionId, because: request.reason.revocationReason, at: now)
    case .prorated(let share):
      try refund(
        transactionId, prorated: share, because: request.reason.revocationReason, at: now)
    }
    return decision
  }

  private func decision(
    _ request: RefundRequest, _ payload: JWSTransactionDecodedPayload, at now: Timestamp
  ) -> RefundDecision {
    switch request.answer?.preference {
    case .decline: return .declined
    case .grantFull: return .full
    case .grantProrated:
      return .prorated(payload.shareLeft(consumed: request.answer?.consumed, at: now))
    case nil: return policy.grantsUnanswered ? .full : .declined
    }
  }

  /// Keeps the money: REFUND_DECLINED.
  package mutating func declineRefund(
    of transactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    _ = try transaction(transactionId)
    keep(nil, of: transactionId)
    notify(.refundDeclined, about: transactionId, at: now)
  }

  /// Gives the money back: REFUND, and a REVOKE for everybody who shares the purchase.
  ///
  /// - Parameters:
  ///   - transactionId: of the newest period or of any older one.
  ///   - share: a part of the price; absent for all of it.
  ///   - reason: what the customer said.
  ///   - now: when.
  /// - Throws: the ``StoreRefusal`` of what cannot be refunded.
  package mutating func refund(
    _ transactionId: String, prorated share: RevokedShare? = nil,
    because reason: RevocationReason = .other, at now: Timestamp
  ) throws(StoreRefusal) {
    try revoke(
      transactionId, share == nil ? .refundFull : .refundProrated, reason,
      share ?? .whole, at: now)
    keep(nil, of: transactionId)
    if let subscription = subscription(of: transactionId),
      subscription.transactionIds.last == transactionId
    {
      try change(subscription.originalTransactionId) { $0.autoRenews = false }
    }
    notify(.refund, about: transactionId, at: now)
    for member in members(sharing: transactionId) {
      let isSeat = transactions[member]?.payload.inAppOwnershipType == .assigned
      try revoke(member, isSeat ? .assignmentRevoke : .familyRevoke, reason, nil, at: now)
      notify(.revoke, about: member, at: now)
    }
  }

  /// Takes a refund back: REFUND_REVERSED.
  ///
  /// The period's end does not move. The family members' shares return without a word.
  package mutating func reverseRefund(
    of transactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    let type = try transaction(transactionId).payload.revocationType
    guard type == .refundFull || type == .refundProrated else { throw .notRefunded(transactionId) }
    amend(transactionId, at: now) { $0.clearRevocation() }
    for member in register.copies(of: transactionId) {
      amend(member, at: now) { $0.clearRevocation() }
    }
    notify(.refundReversed, about: transactionId, at: now)
  }

  mutating func revoke(
    _ transactionId: String, _ type: RevocationType?, _ reason: RevocationReason,
    _ share: RevokedShare?, at now: Timestamp
  ) throws(StoreRefusal) {
    guard try transaction(transactionId).payload.revocationDate == nil else {
      throw .alreadyRevoked(transactionId)
    }
    amend(transactionId, at: now) { payload in
      payload.revocationDate = now
      payload.revocationReason = reason
      payload.revocationType = type
      payload.revocationPercentage = share?.percentMilliunits
    }
  }
}

extension JWSTransactionDecodedPayload {
  mutating func clearRevocation() {
    revocationDate = nil
    revocationReason = nil
    revocationType = nil
    revocationPercentage = nil
  }

  /// The share of the price that was not used.
  ///
  /// A subscription's goes by time, rounded down to a thousandth of a percent.
  func shareLeft(consumed: RevokedShare?, at now: Timestamp) -> RevokedShare {
    let whole = Int64(RevokedShare.whole.percentMilliunits)
    var left = whole - Int64(consumed?.percentMilliunits ?? 50_000)
    if let begin = purchaseDate, let end = expiresDate, begin < end {
      let length = end.millisecondsSince1970 - begin.millisecondsSince1970
      let rest = min(max(0, end.millisecondsSince1970 - now.millisecondsSince1970), length)
      left = rest * whole / length
    }
    return RevokedShare(percentMilliunits: Int32(left)) ?? .whole
  }
}

extension ConsumptionRequestReason {
  /// How the refund puts it: the app's own fault, or anything else.
  var revocationReason: RevocationReason {
    switch self {
    case .fulfillmentIssue: .developerIssue
    case .unintendedPurchase, .unsatisfiedWithPurchase, .legal, .other, .unknown: .other
    }
  }
}
