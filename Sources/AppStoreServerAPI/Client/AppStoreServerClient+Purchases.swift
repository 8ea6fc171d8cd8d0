public import AppStoreModel

extension AppStoreServerClient: AppStoreServer {
  public var bundleId: String { credentials.bundleId }

  public func transactionInfo(
    _ transactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> UnverifiedJWS {
    try await ask(try .transactionInfo(transactionId), options) {
      (answer) throws(AppStoreServerError) in try answer.signed("signedTransactionInfo")
    }
  }

  public func appTransactionInfo(
    _ anyTransactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> UnverifiedJWS {
    try await ask(try .appTransactionInfo(anyTransactionId), options) {
      (answer) throws(AppStoreServerError) in try answer.signed("signedAppTransactionInfo")
    }
  }

  public func transactionHistory(
    _ anyTransactionId: String, _ query: HistoryQuery, after revision: String?,
    _ options: CallOptions
  ) async throws(AppStoreServerError) -> TransactionPage {
    try await ask(
      try .transactionHistory(anyTransactionId, query, after: revision), options
    ) { (answer) throws(AppStoreServerError) in try answer.transactionPage() }
  }

  public func subscriptionStatuses(
    _ anyTransactionId: String, only wanted: [SubscriptionStatus], _ options: CallOptions
  ) async throws(AppStoreServerError) -> SubscriptionStatuses {
    try await ask(try .subscriptionStatuses(anyTransactionId, only: wanted), options) {
      (answer) throws(AppStoreServerError) in try answer.subscriptionStatuses()
    }
  }

  public func refundHistory(
    _ anyTransactionId: String, after revision: String?, _ options: CallOptions
  ) async throws(AppStoreServerError) -> TransactionPage {
    try await ask(try .refundHistory(anyTransactionId, after: revision), options) {
      (answer) throws(AppStoreServerError) in try answer.transactionPage()
    }
  }

  public func lookUpOrder(
    _ orderId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> OrderLookup {
    try await ask(try .lookUpOrder(orderId, in: options.environment), options) {
      (answer) throws(AppStoreServerError) in try answer.orderLookup()
    }
  }

  public func setAppAccountToken(
    _ appAccountToken: String, for originalTransactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) {
    try await tell(try .setAppAccountToken(appAccountToken, for: originalTransactionId), options)
  }

  public func finishTransaction(
    _ transactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) {
    try await tell(try .finishTransaction(transactionId), options)
  }
}
