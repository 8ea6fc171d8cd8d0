import AppStoreModel
import AppStoreSimulator

// A customer is refunded, buys another tier meanwhile or later, and the refund is undone: now two tiers
// of one group are paid for. Apple's API shows both without a trace of the refund. The rule is that a
// later purchase ends the period before it, unless it was made while that period stood revoked. So the
// ledger grants the tier bought last, and the other exactly if it was told of a revocation that stood at
// the later purchase.
extension RandomLife {
  /// The products that a customer has in truth and that the ledger must not grant, because by all that
  /// was told a later purchase of the group took their place.
  func forgotten(
    by told: [ToldFact], readAt: Timestamp, _ customer: Customer, at moment: Timestamp
  ) -> Set<String> {
    let paid = store.history(of: customer).map(\.payload).filter { covers($0, moment) }
    let replaced = paid.filter { earlier in
      paid.contains { later in
        later.productId != earlier.productId
          && later.subscriptionGroupIdentifier == earlier.subscriptionGroupIdentifier
          && isLater(later, than: earlier)
          && !isShownRevoked(earlier, at: later.purchaseDate, told, readAt)
      }
    }
    let lost = Set(replaced.compactMap(\.transactionId))
    let kept = paid.filter { !lost.contains($0.transactionId ?? "") }.compactMap(\.productId)
    return Set(replaced.compactMap(\.productId)).subtracting(kept)
  }

  private func covers(_ payload: JWSTransactionDecodedPayload, _ moment: Timestamp) -> Bool {
    guard payload.type == .autoRenewableSubscription, payload.isUpgraded != true,
      payload.revocationDate == nil, let begin = payload.purchaseDate, let end = payload.expiresDate
    else { return false }
    return begin <= moment && moment < end
  }

  private func isLater(
    _ later: JWSTransactionDecodedPayload, than earlier: JWSTransactionDecodedPayload
  ) -> Bool {
    (later.purchaseDate ?? .distantPast) > (earlier.purchaseDate ?? .distantPast)
  }

  /// Whether a revocation was told that began before a moment and was not undone by then.
  private func isShownRevoked(
    _ period: JWSTransactionDecodedPayload, at moment: Timestamp?, _ told: [ToldFact],
    _ readAt: Timestamp
  ) -> Bool {
    guard let moment else { return false }
    let about = told.filter { $0.transactionId == period.transactionId }
    return about.compactMap(\.revokedAt).contains { revokedAt in
      let undone = about.compactMap(\.reversedAt).filter { $0 >= revokedAt }.min() ?? readAt
      return revokedAt <= moment && moment < undone
    }
  }
}
