extension AnswerObject {
  func notificationPage() throws(AppStoreServerError) -> NotificationPage {
    var list: [SentNotification] = []
    for item in try objects("notificationHistory") { list.append(try item.sentNotification()) }
    return NotificationPage(
      list, paginationToken: try text("paginationToken"), hasMore: try flag("hasMore") ?? false)
  }

  func sentNotification() throws(AppStoreServerError) -> SentNotification {
    var attempts: [SendAttempt] = []
    for attempt in try objects("sendAttempts") { attempts.append(try attempt.sendAttempt()) }
    return SentNotification(try signed("signedPayload"), attempts)
  }

  private func sendAttempt() throws(AppStoreServerError) -> SendAttempt {
    SendAttempt(
      try moment("attemptDate"),
      SendAttemptResult(rawValue: try text("sendAttemptResult") ?? ""))
  }
}
