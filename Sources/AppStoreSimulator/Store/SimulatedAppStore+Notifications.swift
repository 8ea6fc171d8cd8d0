package import AppStoreModel

extension SimulatedAppStore {
  /// Says that the connection works: TEST.
  package mutating func sendTest(at now: Timestamp) {
    notify(.test, about: nil, at: now)
  }

  /// Says the same again, as after an answer that was no receipt: same UUID, same dates.
  ///
  /// - Parameter index: its place in ``notifications``.
  package mutating func sendAgain(_ index: Int) {
    notifications.append(notifications[index])
  }

  /// Says a type and subtype of the caller's choice about a transaction, and changes nothing.
  ///
  /// Shape: any words, also such as Apple may add one day.
  package mutating func say(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil,
    about transactionId: String? = nil, at now: Timestamp
  ) throws(StoreRefusal) {
    if let transactionId { _ = try transaction(transactionId) }
    notify(type, subtype, about: transactionId, at: now)
  }

  /// Says that a parent took back the consent for a child's use of the app: RESCIND_CONSENT.
  package mutating func rescindConsent(for customer: Customer, at now: Timestamp) {
    var payload = newNotification(.rescindConsent, nil, at: now)
    var data = NotificationAppData()
    data.environment = app.environment
    data.appAppleId = app.appAppleId
    data.bundleId = app.bundleId
    payload.appData = data
    let appTransaction = appTransaction(of: customer, signedAt: now)
    notifications.append(
      UnsignedNotification(payload: payload, appTransaction: appTransaction))
  }

  /// Says something of a token for purchases outside the App Store: EXTERNAL_PURCHASE_TOKEN.
  ///
  /// - Parameters:
  ///   - subtype: what is to be said of it.
  ///   - id: the token's id, absent for a new one; in the sandbox it gets its prefix.
  ///   - type: what a custom link token is for, absent for a token of the older kind.
  ///   - created: when it was made, now unless stated.
  ///   - now: when it is said.
  /// - Returns: the token's id.
  @discardableResult
  package mutating func sendToken(
    _ subtype: NotificationSubtype, id: String? = nil, type: ExternalPurchaseTokenType? = nil,
    created: Timestamp? = nil, at now: Timestamp
  ) -> String {
    let prefix = app.environment == .sandbox ? "SANDBOX_" : ""
    var token = ExternalPurchaseToken()
    token.externalPurchaseId = id ?? prefix + dice.uuid()
    token.tokenCreationDate = created ?? now
    token.appAppleId = app.appAppleId
    token.bundleId = app.bundleId
    token.tokenType = type
    token.tokenExpirationDate = type == nil ? nil : (created ?? now).adding(.days(365))
    var payload = newNotification(.externalPurchaseToken, subtype, at: now)
    payload.externalPurchaseToken = token
    notifications.append(UnsignedNotification(payload: payload))
    return token.externalPurchaseId ?? ""
  }

  /// Says something, about a transaction unless it is a test.
  mutating func notify(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil, about transactionId: String?,
    because reason: ConsumptionRequestReason? = nil, at now: Timestamp
  ) {
    var payload = newNotification(type, subtype, at: now)
    payload.data = data(about: transactionId, because: reason, at: now)
    let transaction = transactionId.flatMap { copy(of: $0, signedAt: now) }
    let renewal = transaction?.originalTransactionId.flatMap { renewalInfo(of: $0, signedAt: now) }
    notifications.append(
      UnsignedNotification(payload: payload, transaction: transaction, renewal: renewal))
  }

  /// Says something about a chain's newest transaction.
  mutating func notify(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil,
    newestOf originalTransactionId: String, at now: Timestamp
  ) throws(StoreRefusal) {
    let newest = try chain(originalTransactionId).transactionIds.last
    notify(type, subtype, about: newest, at: now)
  }

  mutating func notify(_ extended: MassExtension, at now: Timestamp) {
    var summary = NotificationSummary()
    summary.requestIdentifier = extended.requestIdentifier
    summary.environment = app.environment
    summary.appAppleId = app.appAppleId
    summary.bundleId = app.bundleId
    summary.productId = extended.productId
    summary.storefrontCountryCodes = extended.storefronts
    summary.succeededCount = extended.succeeded
    summary.failedCount = extended.failed
    var payload = newNotification(.renewalExtension, .summary, at: now)
    payload.summary = summary
    notifications.append(UnsignedNotification(payload: payload))
  }

  private mutating func newNotification(
    _ type: NotificationType, _ subtype: NotificationSubtype?, at now: Timestamp
  ) -> ResponseBodyV2DecodedPayload {
    var payload = ResponseBodyV2DecodedPayload()
    payload.notificationType = type
    payload.subtype = subtype
    payload.notificationUUID = dice.uuid()
    payload.version = "2.0"
    payload.signedDate = now
    return payload
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
