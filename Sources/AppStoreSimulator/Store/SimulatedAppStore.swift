import AppStoreModel

/// A small App Store: customers buy, renew, share and are refunded, and it says what it would notify.
///
/// A pure state machine. Time is given with every call and chance comes from the seed, so that the
/// same calls always say the same. It is a value: a copy kept from earlier is the store of then.
package struct SimulatedAppStore: Sendable {
  package let app: SimulatedApp
  package let catalog: [SimulatedProduct]
  package var policy: StorePolicy

  /// All it has to say so far, in order; each one's time is its payload's `signedDate`.
  package internal(set) var notifications: [UnsignedNotification] = []

  /// In the order in which they came.
  package private(set) var customers: [Customer] = []

  /// By the transaction whose money was asked for; gone once Apple has decided.
  package internal(set) var refundRequests: [String: RefundRequest] = [:]

  /// In the order in which they were asked for.
  package internal(set) var massExtensions: [MassExtension] = []

  /// The customers whose payments fail, by `appTransactionId`.
  package internal(set) var unableToPay: Set<String> = []

  var dice: SeededGenerator
  var transactions: [String: SimulatedTransaction] = [:]
  var subscriptions: [String: Subscription] = [:]
  /// Transaction ids in the order in which they were made.
  var order: [String] = []
  var revision = 0

  package init(
    app: SimulatedApp = SimulatedApp(), catalog: [SimulatedProduct] = SimulatedProduct.all,
    policy: StorePolicy = StorePolicy(), seed: UInt64
  ) {
    self.app = app
    self.catalog = catalog
    self.policy = policy
    dice = SeededGenerator(seed: seed)
  }

  /// Makes a customer; the app passes a token with their purchases unless told not to.
  package mutating func enroll(
    _ name: String, withToken: Bool = true, family: String? = nil, storefront: Storefront = .usa
  ) -> Customer {
    let customer = Customer(
      name: name, appAccountToken: withToken ? dice.uuid() : nil,
      appTransactionId: dice.digits("704", 15), family: family, storefront: storefront)
    customers.append(customer)
    return customer
  }

  /// Lets a customer's payments fail from now on, or succeed again.
  package mutating func setPayments(of customer: Customer, succeed: Bool) {
    if succeed {
      unableToPay.remove(customer.appTransactionId)
    } else {
      unableToPay.insert(customer.appTransactionId)
    }
  }

  /// Changes a transaction, which puts it last in its customer's history.
  mutating func amend(
    _ transactionId: String, at now: Timestamp,
    _ body: (inout JWSTransactionDecodedPayload) -> Void
  ) {
    guard var transaction = transactions[transactionId] else { return }
    revision += 1
    body(&transaction.payload)
    transaction.modifiedAt = now
    transaction.revision = revision
    transactions[transactionId] = transaction
  }

  mutating func change(
    _ originalTransactionId: String, _ body: (inout Subscription) -> Void
  ) throws(StoreRefusal) {
    var subscription = try chain(originalTransactionId)
    body(&subscription)
    subscriptions[originalTransactionId] = subscription
  }
}
