public import AppStoreModel

/// What one App Store Server Notification says of one purchase.
public struct NotificationFact: Hashable, Sendable {
  public let scope: Scope
  /// By notification or by Apple's notification history.
  public let channel: Channel
  public let type: NotificationType?
  public let subtype: NotificationSubtype?
  public let notificationUUID: String
  /// The outer `signedDate`, or the latest inner one where that is missing.
  public let outerDate: Timestamp
  /// `nil` except for auto-renewable subscriptions.
  public let status: SubscriptionStatus?
  /// What a CONSUMPTION_REQUEST asks; `nil` in every other notification.
  public let question: ConsumptionQuestion?
  public internal(set) var transaction: TransactionCopy?
  public internal(set) var renewal: RenewalCopy?

  /// Reads a notification with what was signed inside it.
  ///
  /// - Throws: ``UnusableFact`` when it is about no purchase or its parts do not fit together.
  public init(
    _ notification: Verified<ResponseBodyV2DecodedPayload>,
    transaction: Verified<JWSTransactionDecodedPayload>?,
    renewal: Verified<JWSRenewalInfoDecodedPayload>?, channel: Channel
  ) throws(UnusableFact) {
    let payload = notification.payload
    guard let uuid = payload.notificationUUID, !uuid.isEmpty else {
      throw .missing("notificationUUID")
    }
    let parts = try PurchaseParts(transaction: transaction, renewal: renewal)
    guard let date = payload.signedDate ?? parts.latestDate else {
      throw .missing("signedTransactionInfo")
    }
    scope = try Scope(agreedBy: [Scope.Claim(notification)] + parts.claims)
    guard parts.latestDate != nil else { throw .missing("signedTransactionInfo") }
    self.channel = channel
    type = payload.notificationType
    subtype = payload.subtype
    notificationUUID = uuid
    outerDate = date
    status = payload.data?.status
    question =
      payload.notificationType == .consumptionRequest
      ? ConsumptionQuestion(payload.data, transaction?.payload) : nil
    self.transaction = parts.transaction
    self.renewal = parts.renewal
  }
}
