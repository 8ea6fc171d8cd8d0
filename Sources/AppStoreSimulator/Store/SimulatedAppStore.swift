package import AppStoreModel

/// A small App Store: customers buy, renew, share and are refunded, and it says what it would notify.
///
/// A pure state machine. Time is given with every call and chance comes from the seed, so that the
/// same calls always say the same.
package struct SimulatedAppStore: Sendable {
  package let app: SimulatedApp
  package let catalog: [SimulatedProduct]

  /// All it has to say so far, in order.
  package private(set) var notifications: [UnsignedNotification] = []

  /// In the order in which they came.
  package private(set) var customers: [Customer] = []

  var dice: SeededGenerator
  var transactions: [String: SimulatedTransaction] = [:]
  var subscriptions: [String: Subscription] = [:]
  /// Transaction ids in the order in which they were made.
  var order: [String] = []

  package init(
    app: SimulatedApp = SimulatedApp(), catalog: [SimulatedProduct] = SimulatedProduct.all,
    seed: UInt64
  ) {
    self.app = app
    self.catalog = catalog
    dice = SeededGenerator(seed: seed)
  }

  /// Makes a customer; the app passes a token with their purchases unless told not to.
  package mutating func enroll(_ name: String, withToken: Bool = true) -> Customer {
    let customer = Customer(
      name: name, appAccountToken: withToken ? dice.uuid() : nil,
      appTransactionId: dice.digits("704", 15))
    customers.append(customer)
    return customer
  }

  /// Says that the connection works.
  package mutating func sendTest(at now: Timestamp) {
    notify(.test, about: nil, at: now)
  }

  /// Says the same again, as after an answer that was no receipt: same UUID, same dates.
  ///
  /// - Parameter index: its place in ``notifications``.
  package mutating func sendAgain(_ index: Int) {
    notifications.append(notifications[index])
  }

  /// Says something, about a transaction unless it is a test.
  mutating func notify(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil, about transactionId: String?,
    because reason: ConsumptionRequestReason? = nil, at now: Timestamp
  ) {
    var payload = ResponseBodyV2DecodedPayload()
    payload.notificationType = type
    payload.subtype = subtype
    payload.notificationUUID = dice.uuid()
    payload.version = "2.0"
    payload.signedDate = now
    payload.data = data(about: transactionId, because: reason, at: now)
    let transaction = transactionId.flatMap { copy(of: $0, signedAt: now) }
    let renewal = transaction?.originalTransactionId.flatMap { renewalInfo(of: $0, signedAt: now) }
    notifications.append(
      UnsignedNotification(payload: payload, transaction: transaction, renewal: renewal))
  }

  private func data(
    about transactionId: String?, because reason: ConsumptionRequestReason?, at now: Timestamp
  ) -> NotificationData {
    var data = NotificationData()
    data.environment = app.environment
    data.appAppleId = app.appAppleId
    data.bundleId = app.bundleId
    data.bundleVersion = app.bundleVersion
    data.consumptionRequestReason = reason
    if let transactionId, let subscription = subscription(of: transactionId) {
      data.status = status(of: subscription, at: now)
    }
    return data
  }
}
