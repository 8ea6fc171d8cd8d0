extension AppStoreServerClient {
  public func notificationHistory(
    _ query: NotificationQuery, after paginationToken: String?, _ options: CallOptions
  ) async throws(AppStoreServerError) -> NotificationPage {
    try await ask(try .notificationHistory(query, after: paginationToken), options) {
      (answer) throws(AppStoreServerError) in try answer.notificationPage()
    }
  }

  public func requestTestNotification(
    _ options: CallOptions
  ) async throws(AppStoreServerError) -> String {
    try await ask(.requestTestNotification, options) { (answer) throws(AppStoreServerError) in
      try answer.required("testNotificationToken", answer.text("testNotificationToken"))
    }
  }

  public func testNotificationStatus(
    _ testNotificationToken: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> SentNotification {
    try await ask(try .testNotificationStatus(testNotificationToken), options) {
      (answer) throws(AppStoreServerError) in try answer.sentNotification()
    }
  }

  @discardableResult
  public func sendConsumption(
    _ consumption: ConsumptionInformation, for transactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> Int {
    try await tell(try .sendConsumption(consumption, for: transactionId), options)
  }

  @discardableResult
  public func sendConsumption(
    _ consumption: ConsumptionInformationV1, for transactionId: String, _ options: CallOptions
  ) async throws(AppStoreServerError) -> Int {
    try await tell(try .sendConsumption(consumption, for: transactionId), options)
  }
}
