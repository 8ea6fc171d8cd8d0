public import AppStoreModel

/// What one app may ask of the App Store.
///
/// ``AppStoreServerClient`` asks Apple, or a simulated App Store; tests may answer themselves. What
/// comes back is unverified: only the verifier says what a JWS is worth. An error never means that
/// something was refunded or revoked.
///
/// Shape: an `anyTransactionId` is a transactionId, an originalTransactionId or an appTransactionId.
///
/// Errors: every method throws ``AppStoreServerError``.
///
/// Source: Apple's App Store Server API, 1.22.
public protocol AppStoreServer: Sendable {
  /// The app that everything is asked for.
  var bundleId: String { get }

  /// The newest copy of one transaction, finished or not, of any product type.
  func transactionInfo(
    _ transactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> UnverifiedJWS

  /// The app transaction of the customer whom an id belongs to.
  func appTransactionInfo(
    _ anyTransactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> UnverifiedJWS

  /// One page of a customer's transactions, ordered by when each was last changed.
  ///
  /// While someone pages, the same transaction may come again with new content. Pass the same
  /// `query` with every revision, which is that of the page before, `nil` for the first.
  func transactionHistory(
    _ anyTransactionId: String, _ query: HistoryQuery, after revision: String?,
    _ options: CallOptions
  ) async throws(AppStoreServerError) -> TransactionPage

  /// Where a customer's subscriptions stand, with the newest transaction and renewal of each.
  ///
  /// An empty list of wanted statuses asks for all.
  func subscriptionStatuses(
    _ anyTransactionId: String, only wanted: [SubscriptionStatus], _ options: CallOptions
  ) async throws(AppStoreServerError) -> SubscriptionStatuses

  /// One page of a customer's refunded purchases, ordered by when each was refunded.
  ///
  /// The last page's revision stays good: asking again with it gives what came since.
  func refundHistory(
    _ anyTransactionId: String, after revision: String?, _ options: CallOptions
  ) async throws(AppStoreServerError) -> TransactionPage

  /// One page of the notifications that the App Store sent or still tries to send.
  ///
  /// Pass the same `query` with every token, which is that of the page before, `nil` for the first.
  func notificationHistory(
    _ query: NotificationQuery, after paginationToken: String?, _ options: CallOptions
  ) async throws(AppStoreServerError) -> NotificationPage

  /// Has the App Store send a notification of type TEST to the URL set in App Store Connect.
  ///
  /// Shape: the token to ask ``testNotificationStatus(_:_:)`` with.
  func requestTestNotification(
    _ options: CallOptions
  ) async throws(AppStoreServerError) -> String

  /// What became of a test notification; ``AppleErrorCode/testNotificationNotFound`` while it is
  /// too early to say.
  func testNotificationStatus(
    _ testNotificationToken: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> SentNotification

  /// The purchases of the order whose number a customer reads from a receipt; production only.
  func lookUpOrder(
    _ orderId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> OrderLookup

  /// Answers a consumption request.
  ///
  /// - Returns: The HTTP status; 202 by Apple's documentation.
  @discardableResult
  func sendConsumption(
    _ consumption: ConsumptionInformation, for transactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> Int

  /// Answers a consumption request about an Advanced Commerce purchase.
  ///
  /// - Returns: The HTTP status; 202 by Apple's documentation.
  @discardableResult
  func sendConsumption(
    _ consumption: ConsumptionInformationV1, for transactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> Int

  /// Gives one subscriber more days; cannot be undone.
  func extendRenewal(
    of originalTransactionId: String, _ request: ExtendRenewal, _ options: CallOptions
  ) async throws(AppStoreServerError) -> ExtendedRenewal

  /// Gives all eligible subscribers of a product more days; takes hours and cannot be undone.
  ///
  /// Shape: the request's identifier, to ask about its progress with.
  func extendRenewals(
    _ request: MassExtendRenewals, _ options: CallOptions
  ) async throws(AppStoreServerError) -> String

  /// How far an extension for all subscribers has come.
  func massExtensionStatus(
    productId: String, requestIdentifier: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> MassExtensionStatus

  /// Ties a purchase to a customer from its current period on; never for shared or assigned ones.
  ///
  /// Shape: `appAccountToken` is a UUID.
  func setAppAccountToken(
    _ appAccountToken: String, for originalTransactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError)

  /// Finishes a transaction in place of the app.
  func finishTransaction(
    _ transactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError)
}
