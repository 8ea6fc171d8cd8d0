import AppStoreModel
import EntitlementLedger

extension Holdings {
  /// Takes in a subscription's state, bound to the signed texts beside it.
  package mutating func take(_ status: StoreStatus, from source: AnswerSource) -> Taking {
    let taken = take(status.transaction, from: source)
    if case .setAside = taken { return taken }
    guard let payload = status.transaction.payload else { return taken }
    let transaction = Verified(
      proved: payload, realm: realm, judgedAt: payload.signedDate ?? .distantPast)
    let renewal = proof(of: status.renewal)
    guard
      let report = try? ReportedStatus(
        status.state, transaction: transaction, renewal: renewal, channel: .device,
        environment: payload.environment == nil ? environment : nil)
    else { return taken }
    let key = ChainKey(
      scope: report.scope, originalTransactionId: report.transaction.originalTransactionId)
    let change = chains[key, default: Chain(key: key)].join(.status(report))
    if let renewal, let jws = status.renewal?.jws, let date = renewal.payload.signedDate {
      clock.see(signed: date)
      keepRenewal(jws, date, key, source)
    }
    states[key] = KnownState(
      state: status.state, transaction: status.transaction.jws, renewal: status.renewal?.jws)
    guard case .repeated = taken, change.isNews else { return taken }
    return .news(
      PurchaseNews(
        before: report.transaction, now: report.transaction,
        isMapped: book.isMapped(report.transaction.productId)))
  }

  private func proof(of renewal: StoreRenewal?) -> Verified<JWSRenewalInfoDecodedPayload>? {
    guard let renewal, renewal.failure == nil, let payload = renewal.payload else { return nil }
    return Verified(proved: payload, realm: realm, judgedAt: payload.signedDate ?? .distantPast)
  }

  private mutating func keepRenewal(
    _ jws: String, _ date: Timestamp, _ key: ChainKey, _ source: AnswerSource
  ) {
    if let known = renewals[key.originalTransactionId], known.signedDate > date { return }
    renewals[key.originalTransactionId] = SignedCopy(
      jws: jws, signedDate: date, chain: key, source: source)
  }
}
