package import AppStoreModel

/// What the kit asks of a store: StoreKit on a device, or a simulated one in tests.
package protocol StoreConnection: Sendable {
  /// Which root vouches for what it verified.
  var realm: Realm { get }

  /// The app that is running; `nil` where that cannot be told.
  var bundleID: String? { get }

  /// Hands over everything that is announced, one after the other, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - standing: Called once, when nothing that is announced from then on is missed.
  ///   - handle: Takes each item, and is waited for.
  func listen(
    standing: @Sendable () -> Void, _ handle: @Sendable (StoreTransaction) async -> Void
  ) async

  /// Tells that a subscription's state has changed, until the task is cancelled.
  func listenToStatuses(_ handle: @Sendable (StoreStatus) async -> Void) async

  func currentEntitlements() async -> [StoreTransaction]

  /// The full history: a signed-out customer may be asked to sign in.
  func history() async -> [StoreTransaction]

  func unfinished() async -> [StoreTransaction]

  func statuses(ofGroup group: String) async throws(StoreFailure) -> [StoreStatus]

  func appTransaction() async throws(StoreFailure) -> StoreAppTransaction?

  /// Fetches everything again, asking the customer to sign in.
  func sync() async throws(StoreFailure)
}

/// Why the store gave no answer.
public enum StoreFailure: Error, Hashable, Sendable {
  /// The App Store could not be reached.
  case offline
  /// Nobody is signed in to the App Store.
  case notSignedIn
  /// The customer stopped it.
  case cancelled
  /// What StoreKit threw, by the name of its case.
  case other(String)

  /// Whether the same question may be asked again.
  public var isTransient: Bool {
    self != .cancelled
  }

  /// What the app should do next.
  public var advice: String {
    switch self {
    case .offline: "Try again when the device is online."
    case .notSignedIn: "Ask the customer to sign in to the App Store."
    case .cancelled: "Nothing: the customer stopped it."
    case .other: "Try again; if it stays, look at StoreKit's log on the device."
    }
  }
}

extension StoreFailure: CustomStringConvertible {
  /// Safe to log.
  public var description: String {
    switch self {
    case .offline: "the App Store could not be reached"
    case .notSignedIn: "no customer is signed in to the App Store"
    case .cancelled: "it was cancelled"
    case .other(let name): "StoreKit reported \(name)"
    }
  }
}

/// A transaction as the store handed it over.
package struct StoreTransaction: Hashable, Sendable {
  /// Shape: a JWS in compact form.
  package let jws: String
  /// `nil` where its JSON could not be read.
  package let payload: JWSTransactionDecodedPayload?
  /// The name of StoreKit's error; absent where it verified the text.
  package let failure: String?
  private let finisher: Finisher

  package init(
    jws: String, payload: JWSTransactionDecodedPayload?, failure: String? = nil,
    finish: @escaping @Sendable () async -> Void = {}
  ) {
    self.jws = jws
    self.payload = payload
    self.failure = failure
    finisher = Finisher(run: finish)
  }

  /// Tells the store that the app has taken it in.
  func finish() async { await finisher.run() }

  /// How to finish it, which is no part of what it is.
  private struct Finisher: Hashable, Sendable {
    let run: @Sendable () async -> Void

    static func == (left: Finisher, right: Finisher) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }
}

/// A subscription's renewal information as the store handed it over.
package struct StoreRenewal: Hashable, Sendable {
  package let jws: String
  package let payload: JWSRenewalInfoDecodedPayload?
  package let failure: String?

  package init(jws: String, payload: JWSRenewalInfoDecodedPayload?, failure: String? = nil) {
    self.jws = jws
    self.payload = payload
    self.failure = failure
  }
}

/// A subscription's state, unsigned, with the signed texts beside it.
package struct StoreStatus: Hashable, Sendable {
  package let state: SubscriptionStatus
  package let transaction: StoreTransaction
  package let renewal: StoreRenewal?

  package init(state: SubscriptionStatus, transaction: StoreTransaction, renewal: StoreRenewal?) {
    self.state = state
    self.transaction = transaction
    self.renewal = renewal
  }
}

/// What the kit needs of the app's own transaction.
package struct StoreAppTransaction: Hashable, Sendable {
  /// One for each Apple Account and app; empty on systems that do not tell.
  package let appTransactionID: String
  package let environment: AppStoreEnvironment
  /// When the App Store took the app itself back; absent while it stands.
  package let revocationDate: Timestamp?

  package init(
    appTransactionID: String, environment: AppStoreEnvironment, revocationDate: Timestamp? = nil
  ) {
    self.appTransactionID = appTransactionID
    self.environment = environment
    self.revocationDate = revocationDate
  }
}
