package import AppStoreModel
package import EntitlementLedger

/// Everything that the kit knows of this customer on this device: the pure half.
///
/// Signed copies come in, answers go out. What a look at the store shows is evidence; what it does not
/// show is none, and only ends the store's vouching for what was known.
package struct Holdings: Sendable {
  package let book: RuleBook
  package let realm: Realm
  package let bundleID: String?

  package internal(set) var chains: [ChainKey: Chain] = [:]
  /// The newest signed copy, by transactionId.
  package internal(set) var copies: [String: SignedCopy] = [:]
  /// The newest signed renewal information, by originalTransactionId.
  var renewals: [String: SignedCopy] = [:]
  /// The state that StoreKit last told, by chain.
  var states: [ChainKey: KnownState] = [:]
  /// When the store last vouched for a chain's grant.
  var vouchers: [ChainKey: Voucher] = [:]
  /// Which chains a right depends on, by rule.
  var chainsByRule: [String: Set<ChainKey>] = [:]

  /// The `appTransactionId` of who is signed in; `nil` while that is not known.
  package internal(set) var owner: String?
  package internal(set) var environment: AppStoreEnvironment?
  /// When the App Store took back the app itself; absent while it stands.
  package internal(set) var appTakenBackAt: Timestamp?
  package internal(set) var storeState = StoreState.connecting
  /// Products of which StoreKit listed only what it could not verify.
  var unverifiedProducts: Set<String> = []
  /// Chains that StoreKit lists although their period is over, while it tells no state.
  var listedWithoutState: Set<ChainKey> = []
  /// Consumables that the app has taken in, by transactionId.
  package internal(set) var delivered: Set<String> = []
  /// What the reporter has not written down yet, oldest first: it is kept with the copies, so that no
  /// end of the app loses a report.
  var unreported: [ReportQueue.Text] = []
  /// What the server said, by rule; forgotten with the run.
  var opinions: [String: Opinion] = [:]
  package internal(set) var clock = ClockFloor()
  package internal(set) var setAside: [SetAsideItem] = []

  package init(rules: [EntitlementRule], realm: Realm, bundleID: String?) {
    book = RuleBook(rules)
    self.realm = realm
    self.bundleID = bundleID
  }

  /// Whether anything shows that this customer ever owned something: only then is the full history
  /// read, which may ask a signed-out customer to sign in.
  package var hasEvidenceOfOwnership: Bool { !copies.isEmpty }

  /// The subscription groups of everything known, sorted.
  package var groups: [String] {
    let groups = chains.values.flatMap { chain in
      chain.transactions.values.compactMap(\.newest.subscriptionGroupIdentifier)
    }
    return Set(groups).sorted()
  }
}

/// A signed text that was taken in.
package struct SignedCopy: Hashable, Sendable {
  package let jws: String
  package let signedDate: Timestamp
  package let chain: ChainKey
  /// Its channel: an earlier run's cache, or this run's store.
  package let source: AnswerSource
}

/// A state that StoreKit told, with what stood beside it.
struct KnownState: Hashable, Sendable {
  let state: SubscriptionStatus
  /// Shape: a JWS in compact form.
  let transaction: String
  let renewal: String?
}

/// The store's word that a grant stands.
package struct Voucher: Hashable, Sendable {
  package let at: Timestamp
  /// Whether it still counts: an accepted look at the store showed nothing else.
  package var isCurrent: Bool
}

/// The earliest moment that "now" can be, whatever the device's clock says.
package struct ClockFloor: Hashable, Sendable {
  /// The latest moment at which the App Store signed anything that came here.
  package internal(set) var newestSigned = Timestamp.distantPast
  /// The latest moment that the device's clock showed since then.
  package internal(set) var latestSeen = Timestamp.distantPast

  /// A clock that was set back does not make anything young again.
  package func now(_ device: Timestamp) -> Timestamp {
    max(device, newestSigned, latestSeen)
  }

  mutating func see(_ device: Timestamp) {
    latestSeen = max(latestSeen, device)
  }

  /// A newer signature shows Apple's own time, and frees a clock that ran ahead and was put right.
  mutating func see(signed date: Timestamp) {
    guard date > newestSigned else { return }
    newestSigned = date
    latestSeen = .distantPast
  }
}
