import AppStoreModel
import EntitlementLedger

extension Holdings {
  /// What became of an item.
  package enum Taking: Hashable, Sendable {
    /// It told something new: what happened to its purchase.
    case news(PurchaseNews)
    /// The same transaction, revocation and signing were known.
    case repeated
    case setAside(SetAsideItem)
  }

  /// Takes in what the store handed over, whatever way it came.
  ///
  /// State is kept by transaction, revocation and signing date together: a copy that shows a
  /// revocation has the id of the purchase, and must not pass for a repeat of it.
  package mutating func take(_ item: StoreTransaction, from source: AnswerSource) -> Taking {
    if let id = item.payload?.transactionId, let known = copies[id], known.jws == item.jws,
      item.failure == nil
    {
      return .repeated
    }
    switch checked(item) {
    case .failure(let refusal):
      let setAside = SetAsideItem(
        transactionID: item.payload?.transactionId, productID: item.payload?.productId,
        reason: refusal.reason)
      note(setAside)
      return .setAside(setAside)
    case .success(let fact):
      return join(fact, jws: item.jws, from: source)
    }
  }

  private struct Refusal: Error {
    let reason: SetAsideItem.Reason
  }

  private func checked(_ item: StoreTransaction) -> Result<TransactionFact, Refusal> {
    if let failure = item.failure { return .failure(Refusal(reason: .unverified(failure))) }
    guard let payload = item.payload else {
      return .failure(Refusal(reason: .unreadable("not the JSON of a transaction")))
    }
    if let reason = foreignness(of: payload) { return .failure(Refusal(reason: reason)) }
    do throws(UnusableFact) {
      let proof = Verified(
        proved: payload, realm: realm, judgedAt: payload.signedDate ?? .distantPast)
      return .success(
        try TransactionFact(
          proof, channel: .device,
          environment: payload.environment == nil
            ? environment : nil))
    } catch {
      return .failure(Refusal(reason: .unreadable("\(error)")))
    }
  }

  private func foreignness(
    of payload: JWSTransactionDecodedPayload
  ) -> SetAsideItem.Reason? {
    if let bundleID, let other = payload.bundleId, other != bundleID { return .foreignApp }
    if let environment, let other = payload.environment, other != environment {
      return .foreignEnvironment
    }
    if let owner, let other = payload.appTransactionId, !other.isEmpty, other != owner {
      return .foreignOwner
    }
    return nil
  }

  private mutating func note(_ item: SetAsideItem) {
    guard !setAside.contains(item) else { return }
    setAside.append(item)
    if setAside.count > 50 { setAside.removeFirst() }
  }

  private mutating func join(
    _ fact: TransactionFact, jws: String, from source: AnswerSource
  ) -> Taking {
    let copy = fact.transaction
    let key = ChainKey(scope: fact.scope, originalTransactionId: copy.originalTransactionId)
    let before = chains[key]?.transactions[copy.transactionId]?.newest
    let change = chains[key, default: Chain(key: key)].join(.transaction(fact))
    if let previous = copy.previousOriginalTransactionId {
      let earlier = ChainKey(scope: fact.scope, originalTransactionId: previous)
      _ = chains[earlier, default: Chain(key: earlier)].join(.transaction(fact))
    }
    clock.see(signed: copy.signedDate)
    index(copy, key)
    guard let newest = chains[key]?.transactions[copy.transactionId]?.newest, newest == copy else {
      return .repeated
    }
    copies[copy.transactionId] = SignedCopy(
      jws: jws, signedDate: copy.signedDate, chain: key, source: source)
    guard change.isNews else { return .repeated }
    if !book.isMapped(copy.productId), copy.type != .consumable {
      note(
        SetAsideItem(
          transactionID: copy.transactionId, productID: copy.productId, reason: .unmappedProduct))
    }
    return .news(PurchaseNews(before: before, now: copy, isMapped: book.isMapped(copy.productId)))
  }

  mutating func index(_ copy: TransactionCopy, _ key: ChainKey) {
    for rule in book.rules where rule.products.contains(copy.productId) {
      chainsByRule[rule.id, default: []].insert(key)
    }
  }
}

/// What a newer copy says of a purchase that the copy before did not.
package struct PurchaseNews: Hashable, Sendable {
  package let before: TransactionCopy?
  package let now: TransactionCopy
  let isMapped: Bool

  /// Whether access that was there is taken back.
  package var isTakenBack: Bool { now.revocation != nil && before?.revocation != now.revocation }

  /// Whether what was taken back returns.
  package var isGivenBack: Bool { now.revocation == nil && before?.revocation != nil }

  package var isBundleMove: Bool { now.revocation?.reason == .upgradedToBundle }
}
