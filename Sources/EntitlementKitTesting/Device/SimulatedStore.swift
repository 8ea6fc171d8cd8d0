package import AppStoreModel

/// The store of one simulated device: a value, so that a history of it can be replayed and compared.
package struct SimulatedStore: Hashable, Sendable {
  package var now: Timestamp
  package let bundleID: String
  package var environment = AppStoreEnvironment.production
  /// The `appTransactionId` of who is signed in; `nil` while nobody is.
  package var owner: String?
  package var purchases: [SimulatedPurchase] = []
  package var renewals: [String: SimulatedRenewal] = [:]
  package var switches = StoreSwitches()
  private var lastID: UInt64 = 2_000_000_000_000_000

  package init(bundleID: String, now: Timestamp, owner: String?) {
    self.bundleID = bundleID
    self.now = now
    self.owner = owner
  }

  package mutating func nextID() -> String {
    lastID += 1
    return "\(lastID)"
  }

  package func purchase(_ id: String) -> SimulatedPurchase? { purchases.first { $0.id == id } }

  /// Changes one transaction, and signs it anew.
  package mutating func change(_ id: String, _ body: (inout SimulatedPurchase) -> Void) {
    guard let place = purchases.firstIndex(where: { $0.id == id }) else { return }
    body(&purchases[place])
    purchases[place].signedDate = max(now, purchases[place].signedDate)
  }

  package mutating func changeRenewal(
    _ originalID: String, _ body: (inout SimulatedRenewal) -> Void
  ) {
    guard var renewal = renewals[originalID] else { return }
    body(&renewal)
    renewal.signedDate = now
    renewals[originalID] = renewal
  }

  /// All transactions of one subscription, in the order of purchase.
  package func chain(_ originalID: String) -> [SimulatedPurchase] {
    purchases.filter { $0.originalID == originalID }.sorted { $0.purchaseDate < $1.purchaseDate }
  }

  /// The one that counts: the last that was not upgraded away.
  package func newest(of originalID: String) -> SimulatedPurchase? {
    chain(originalID).last { !$0.isUpgraded && !$0.isHidden }
  }
}

/// How the simulated store misbehaves, each way as it was seen of the real one.
package struct StoreSwitches: Hashable, Sendable {
  /// No network: nothing new is announced, and what needs the network throws.
  package var isOffline = false
  /// Every listing is empty, whatever is owned.
  package var listsNothing = false
  /// How long after a purchase the listings stay without it.
  package var listingLag = TimeSpan.zero
  /// How long after a renewal began the listings miss the subscription.
  package var renewalGap = TimeSpan.zero
  /// Whether `status(for:)` throws.
  package var statusesThrow = false
  /// Whether a subscription in billing retry is listed, as one platform does.
  package var listsBillingRetry = false
  /// Whether a finite sequence is empty in a cancelled task.
  package var cancelledReadsAreEmpty = true
  /// Whether an unrevoked copy is announced just before a revoked one.
  package var announcesCleanCopyFirst = false
  /// Whether a same-device purchase is announced besides being returned.
  package var announcesOwnPurchases = false
  /// Whether the last renewal is announced twice.
  package var announcesTwice = false
  /// Whether the history lists the newest first.
  package var listsNewestFirst = true
  /// Whether the signed JSON has what came with iOS 26.4: type and share of a revocation.
  package var hasRevocationDetails = true
  /// Whether the app's own transaction is there: since iOS 16.
  package var hasAppTransaction = true
  /// Whether signed texts have Xcode's form: an id from 0, dates with a fraction.
  package var signsLikeXcode = false

  package init() {}
}
