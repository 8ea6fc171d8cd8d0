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
  package private(set) var refundRequests: [String: RefundRequest] = [:]

  /// In the order in which they were asked for.
  package internal(set) var massExtensions: [MassExtension] = []

  /// The customers whose payments fail, by `appTransactionId`.
  package private(set) var unableToPay: Set<String> = []

  var dice: SeededGenerator
  private(set) var transactions: [String: SimulatedTransaction] = [:]
  private(set) var subscriptions: [String: Subscription] = [:]
  /// Transaction ids in the order in which they were made.
  private(set) var order: [String] = []
  private(set) var register = StoreRegister()
  package private(set) var agenda = StoreAgenda()
  private var revision = 0

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
    register.enroll(customer, at: customers.count)
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
    for chain in register.chains(of: customer) { plan(chain) }
  }

  // MARK: What was sold

  /// Adds a transaction, which is the last of all.
  mutating func add(
    _ payload: JWSTransactionDecodedPayload, _ id: String, of customer: Customer,
    sharedFrom: String?, at now: Timestamp
  ) {
    revision += 1
    transactions[id] = SimulatedTransaction(
      payload: payload, customer: customer, sharedFrom: sharedFrom, modifiedAt: now,
      revision: revision)
    order.append(id)
    register.add(id, of: customer, sharedFrom: sharedFrom)
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
    transaction.payload.originalTransactionId.map { plan($0) }
  }

  /// Notes that the app has delivered a purchase.
  package mutating func finish(_ transactionId: String) throws(StoreRefusal) {
    _ = try transaction(transactionId)
    transactions[transactionId]?.isFinished = true
  }

  mutating func change(
    _ originalTransactionId: String, _ body: (inout Subscription) -> Void
  ) throws(StoreRefusal) {
    var subscription = try chain(originalTransactionId)
    body(&subscription)
    keep(subscription)
  }

  /// Takes over what became of a chain, or a chain that begins.
  mutating func keep(_ subscription: Subscription) {
    let id = subscription.originalTransactionId
    if subscriptions.updateValue(subscription, forKey: id) == nil {
      register.begin(subscription)
    }
    plan(id)
  }

  /// Takes over a request for money, or with `nil` that Apple has decided.
  mutating func keep(_ request: RefundRequest?, of transactionId: String) {
    refundRequests[transactionId] = request
    agenda.requests.set(request?.deadline, for: transactionId)
  }

  /// Notes when a chain needs the store next.
  private mutating func plan(_ originalTransactionId: String) {
    guard let subscription = subscriptions[originalTransactionId],
      let number = register.number(ofChain: originalTransactionId)
    else { return }
    agenda.looks += 1
    agenda.chains.set(duty(of: subscription)?.at, for: number)
  }
}
