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
  /// What is sold, by product; a product that is not named here stays when it is bought.
  package var catalog: [String: SimulatedProductKind] = [:]
  /// When the App Store took the app itself back; absent while it stands.
  package var appRevocation: Timestamp?
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
  /// How long after a renewal began the listings miss the subscription, which counts as expired.
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
  /// Whether a transaction that was taken back is announced at all.
  package var announcesRevocations = true
  /// Whether a transaction that was taken back stays listed.
  package var listsRevoked = false
  /// Whether the lower tier stays listed after an upgrade, for as long as its period would have run.
  package var listsUpgraded = false
  /// Whether consumables are listed as owned, as was reported once.
  package var listsConsumables = false
  /// Whether a fetch on request puts the last finished renewal back among the unfinished.
  package var syncUnfinishesLast = false
  /// Whether buying a lapsed subscription again hands back its last, expired transaction.
  package var resellsLapsed = false
  /// Whether purchases come back in a form that StoreKit's check refuses.
  package var breaksPurchases = false
  /// Whether the purchase sheet throws when the customer closes it, instead of saying so.
  package var throwsWhenCancelled = false
  /// What the device runs: older systems leave out what came later.
  package var system = SimulatedSystem.iOS27
  /// Whether signed texts have Xcode's form: one certificate, an id from 0, dates with a fraction.
  package var signsLikeXcode = false
  /// What the JSON of a transaction leaves out, though StoreKit's own members have it.
  package var hiddenMembers: Set<String> = []

  package init() {}
}
