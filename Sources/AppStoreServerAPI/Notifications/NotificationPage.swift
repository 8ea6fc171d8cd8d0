/// Up to twenty notifications.
///
/// Source: Apple's `NotificationHistoryResponse`.
public struct NotificationPage: Hashable, Sendable, Page {
  public var notifications: [SentNotification]
  public var paginationToken: String?
  public var hasMore: Bool

  public var mark: String? { paginationToken }

  public init(_ notifications: [SentNotification], paginationToken: String?, hasMore: Bool) {
    self.notifications = notifications
    self.paginationToken = paginationToken
    self.hasMore = hasMore
  }
}
