package import AppStoreModel

extension SimulatedAppStore {
  /// Asks how much of a purchase was used: CONSUMPTION_REQUEST.
  package mutating func requestRefund(
    of transactionId: String, because reason: ConsumptionRequestReason = .unsatisfiedWithPurchase,
    at now: Timestamp
  ) throws(StoreRefusal) {
    _ = try transaction(transactionId)
    notify(.consumptionRequest, about: transactionId, because: reason, at: now)
  }

  /// Keeps the money: REFUND_DECLINED.
  package mutating func declineRefund(
    of transactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    _ = try transaction(transactionId)
    notify(.refundDeclined, about: transactionId, at: now)
  }

  /// Gives the money back: REFUND, and a REVOKE for every family member who shares the purchase.
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
    if let subscription = subscription(of: transactionId),
      subscription.transactionIds.last == transactionId
    {
      try change(subscription.originalTransactionId) { $0.autoRenews = false }
    }
    notify(.refund, about: transactionId, at: now)
    for member in order where transactions[member]?.sharedFrom == transactionId {
      guard transactions[member]?.payload.revocationDate == nil else { continue }
      try revoke(member, .familyRevoke, reason, nil, at: now)
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
    transactions[transactionId]?.payload.clearRevocation()
    for member in order where transactions[member]?.sharedFrom == transactionId {
      transactions[member]?.payload.clearRevocation()
    }
    notify(.refundReversed, about: transactionId, at: now)
  }

  /// Ends a family member's share while the payer keeps paying: REVOKE.
  package mutating func stopSharing(
    _ transactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    guard try transaction(transactionId).sharedFrom != nil else {
      throw .notFamilyShared(transactionId)
    }
    try revoke(transactionId, .familyRevoke, .other, nil, at: now)
    notify(.revoke, about: transactionId, at: now)
  }

  private mutating func revoke(
    _ transactionId: String, _ type: RevocationType, _ reason: RevocationReason,
    _ share: RevokedShare?, at now: Timestamp
  ) throws(StoreRefusal) {
    var transaction = try transaction(transactionId)
    guard transaction.payload.revocationDate == nil else { throw .alreadyRevoked(transactionId) }
    transaction.payload.revocationDate = now
    transaction.payload.revocationReason = reason
    transaction.payload.revocationType = type
    transaction.payload.revocationPercentage = share?.percentMilliunits
    transactions[transactionId] = transaction
  }
}

extension JWSTransactionDecodedPayload {
  mutating func clearRevocation() {
    revocationDate = nil
    revocationReason = nil
    revocationType = nil
    revocationPercentage = nil
  }
}
