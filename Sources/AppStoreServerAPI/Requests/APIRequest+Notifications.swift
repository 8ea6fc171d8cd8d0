import AppStoreModel

extension APIRequest {
  static func notificationHistory(
    _ query: NotificationQuery, after token: String?
  ) throws(AppStoreServerError) -> APIRequest {
    guard query.startDate < query.endDate else { throw .badRequest(.emptyWindow) }
    return APIRequest(
      .notificationHistory, ["inApps", "v1", "notifications", "history"],
      query: mark("paginationToken", token), body: query.json)
  }

  static let requestTestNotification = APIRequest(
    .requestTestNotification, ["inApps", "v1", "notifications", "test"])

  static func testNotificationStatus(_ token: String) throws(AppStoreServerError) -> APIRequest {
    try APIRequest(
      .testNotificationStatus, "inApps/v1/notifications/test", id: token,
      named: "testNotificationToken")
  }
}

extension NotificationQuery {
  /// An empty transaction id asks for all: Apple refuses the empty text.
  fileprivate var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("startDate", startDate.millisecondsSince1970)
      writer.member("endDate", endDate.millisecondsSince1970)
      switch filter {
      case .all: break
      case .type(let type, let subtype):
        writer.member("notificationType", type.rawValue)
        writer.member("notificationSubtype", subtype?.rawValue)
      case .transaction(let id): writer.member("transactionId", id.isEmpty ? nil : id)
      }
      if onlyFailures { writer.member("onlyFailures", true) }
    }
    return writer.bytes
  }
}
