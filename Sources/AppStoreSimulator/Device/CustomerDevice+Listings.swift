import AppStoreModel
package import StoreKit

extension CustomerDevice.State {
  private typealias Held = CustomerDevice.Copy<JWSTransactionDecodedPayload>

  /// Newest first, as StoreKit was seen to list them.
  private var newestFirst: [Held] {
    transactions.values.sorted {
      ($0.payload.purchaseDate ?? .distantPast, $0.payload.transactionId ?? "")
        > ($1.payload.purchaseDate ?? .distantPast, $1.payload.transactionId ?? "")
    }
  }

  func texts(_ listing: StoreListing) -> [SignedText] {
    let held = newestFirst
    switch listing {
    case .all: return held.filter(isKept).map(\.text)
    case .allOf(let product):
      return held.filter { isKept($0) && $0.payload.productId == product }.map(\.text)
    case .currentEntitlements: return held.filter(isCurrent).map(\.text)
    case .currentEntitlementsOf(let product):
      return held.filter { isCurrent($0) && $0.payload.productId == product }.map(\.text)
    case .unfinished: return held.filter { !isFinished($0) }.map(\.text)
    }
  }

  func latest(of product: String) -> SignedText? {
    newestFirst.first { $0.payload.productId == product && isKept($0) }?.text
  }

  private func isFinished(_ held: Held) -> Bool {
    finished.contains(held.payload.transactionId ?? "")
  }

  /// A finished consumable leaves the history, unless it was taken back.
  private func isKept(_ held: Held) -> Bool {
    held.payload.type != .consumable || !isFinished(held) || held.payload.revocationDate != nil
  }

  private func isCurrent(_ held: Held) -> Bool {
    guard held.payload.revocationDate == nil else { return false }
    switch held.payload.type {
    case .nonConsumable, .nonRenewingSubscription: return true
    case .autoRenewableSubscription: return isCurrentPeriod(held.payload)
    default: return false
    }
  }

  private func isCurrentPeriod(_ payload: JWSTransactionDecodedPayload) -> Bool {
    guard let chain = payload.transactionId.flatMap({ store.subscription(of: $0) }),
      store.lastTransaction(of: chain, signedAt: now)?.transactionId == payload.transactionId
    else { return false }
    return [.active, .billingGracePeriod].contains(store.status(of: chain, at: now))
  }

  func statuses(ofGroup group: String, _ customer: Customer) -> [SignedStatus] {
    store.subscriptions(of: customer).filter { $0.group == group }
      .compactMap { status(of: $0.originalTransactionId) }
  }

  func status(of originalTransactionId: String) -> SignedStatus? {
    guard let chain = store.subscription(of: originalTransactionId),
      let id = store.lastTransaction(of: chain, signedAt: now)?.transactionId,
      let transaction = transactions[id], let renewal = renewals[originalTransactionId]
    else { return nil }
    return SignedStatus(
      state: Int(store.status(of: chain, at: now).rawValue), transaction: transaction.text,
      renewalInfo: renewal.text)
  }
}

extension CustomerDevice {
  package func transactions(_ listing: StoreListing) async -> [SignedText] {
    withState { state in
      if listing == .currentEntitlements { state.listings += 1 }
      return state.texts(listing)
    }
  }

  package func latest(for productID: String) async -> SignedText? {
    withState { $0.latest(of: productID) }
  }

  package func statuses(forGroup groupID: String) async throws -> [SignedStatus] {
    if isOffline { throw StoreKitError.networkError(URLError(.notConnectedToInternet)) }
    return withState { $0.statuses(ofGroup: groupID, customer) }
  }

  /// What is announced from now on, after what waits to be finished was handed over once.
  package func updates() -> AsyncStream<SignedText> {
    let (stream, continuation) = AsyncStream<SignedText>.makeStream()
    let id = withState { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      for text in state.texts(.unfinished) { continuation.yield(text) }
      return state.nextListener
    }
    continuation.onTermination = { [weak self] _ in
      self?.withState { $0.listeners[id] = nil }
    }
    return stream
  }

  package func statusUpdates() -> AsyncStream<SignedStatus> {
    let (stream, continuation) = AsyncStream<SignedStatus>.makeStream()
    let id = withState { state in
      state.nextListener += 1
      state.statusListeners[state.nextListener] = continuation
      return state.nextListener
    }
    continuation.onTermination = { [weak self] _ in
      self?.withState { $0.statusListeners[id] = nil }
    }
    return stream
  }

  package func finish(_ transactionID: UInt64) async {
    withState { state in
      state.finished.insert("\(transactionID)")
      state.announced.remove("\(transactionID)")
    }
  }
}
