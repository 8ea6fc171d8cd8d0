import AppStoreModel
import StoreKit
import Synchronization

/// A customer's device in a story: what the App Store knows of the customer, as StoreKit shows it.
///
/// It is moved by the same store that sends the notifications, so that one story is told to an app and
/// to a server.
package final class CustomerDevice: StoreKitDevice {
  package let customer: Customer
  private let signer: NotificationSigner
  private let state: Mutex<State>

  /// A device that knows of nothing yet.
  package init(of customer: Customer, in stage: Stage, signer: JWSSigner) {
    self.customer = customer
    self.signer = NotificationSigner(signer)
    state = Mutex(State(store: stage.store, now: stage.now))
  }

  /// What the device holds, and who listens.
  struct State {
    /// As the device saw it last.
    var store: SimulatedAppStore
    var now: Timestamp
    var isOnline = true
    /// By `transactionId`.
    var transactions: [String: Copy<JWSTransactionDecodedPayload>] = [:]
    /// By `originalTransactionId`.
    var renewals: [String: Copy<JWSRenewalInfoDecodedPayload>] = [:]
    var finished: Set<String> = []
    /// What was announced and that the app has not finished since.
    var announced: Set<String> = []
    var listeners: [Int: AsyncStream<SignedText>.Continuation] = [:]
    var statusListeners: [Int: AsyncStream<SignedStatus>.Continuation] = [:]
    var nextListener = 0
    var listings = 0

    init(store: SimulatedAppStore, now: Timestamp) {
      self.store = store
      self.now = now
    }
  }

  /// A payload without its own date, and the text that was signed when it last changed.
  struct Copy<Payload: Sendable>: Sendable {
    let payload: Payload
    let text: SignedText
  }

  func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// How often the app has read what is owned.
  package var listings: Int { withState { $0.listings } }

  /// Whether the app has finished all that was announced to it.
  package var isTakenIn: Bool { withState { $0.announced.isEmpty } }
}

extension CustomerDevice {
  /// Brings the device to where the story is: while it is online it gets what is new, and tells it to
  /// an app that is open.
  package func follow(_ stage: Stage) {
    let habits = stage.habits(of: customer)
    withState { state in
      state.now = stage.now
      state.isOnline = habits.isOnline
      guard habits.isOnline else { return }
      state.store = stage.store
      let transactions = takeTransactions(&state)
      let renewals = takeRenewals(&state)
      guard habits.isOpen else { return }
      for id in transactions { announce(id, &state) }
      let chains = transactions.compactMap { state.store.subscription(of: $0) }
        .map(\.originalTransactionId)
      for chain in Set(chains + renewals).sorted() { announceStatus(chain, &state) }
    }
  }

  /// - Returns: The ids of those that are new or differ from the copy before.
  private func takeTransactions(_ state: inout State) -> [String] {
    state.store.deviceTransactions(of: customer, signedAt: state.now).compactMap { signed in
      var undated = signed
      undated.signedDate = nil
      guard let id = signed.transactionId, state.transactions[id]?.payload != undated else {
        return nil
      }
      state.transactions[id] = Copy(
        payload: undated, text: SignedText(jws: signer.sign(signed)))
      return id
    }
  }

  private func takeRenewals(_ state: inout State) -> [String] {
    state.store.deviceRenewals(of: customer, signedAt: state.now).compactMap { signed in
      var undated = signed
      undated.signedDate = nil
      guard let id = signed.originalTransactionId, state.renewals[id]?.payload != undated else {
        return nil
      }
      state.renewals[id] = Copy(payload: undated, text: SignedText(jws: signer.sign(signed)))
      return id
    }
  }

  private func announce(_ id: String, _ state: inout State) {
    guard let copy = state.transactions[id], !state.listeners.isEmpty else { return }
    state.announced.insert(id)
    for listener in state.listeners.values { listener.yield(copy.text) }
  }

  private func announceStatus(_ chain: String, _ state: inout State) {
    guard let status = state.status(of: chain) else { return }
    for listener in state.statusListeners.values { listener.yield(status) }
  }

  /// Whether the device is cut off from the App Store.
  var isOffline: Bool { withState { !$0.isOnline } }

  func signedAppTransaction() -> SignedText {
    let payload = withState { $0.store.appTransaction(of: customer, signedAt: $0.now) }
    return SignedText(jws: signer.sign(payload))
  }
}
