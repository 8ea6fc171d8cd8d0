/// Which records of a chain a fact changed: a store writes only those.
public struct Change: Hashable, Sendable {
  public package(set) var transactionIds: [String] = []
  public package(set) var renewal = false
  /// By ``StatusEntry/id``.
  public package(set) var statusIds: [String] = []
  public package(set) var revocations: [RevocationKey] = []
  public package(set) var reversals: [NotificationMark] = []
  public package(set) var undatedRevocations: [NotificationMark] = []
  /// Whether another chain was found to continue this one, or to have done so earlier.
  public package(set) var succession = false

  /// Whether the fact told the chain anything that it did not know.
  public var isNews: Bool {
    self != Change()
  }
}

/// Names what one notification said about one transaction.
public struct NotificationMark: Hashable, Sendable {
  public let transactionId: String
  public let notificationUUID: String

  public init(transactionId: String, notificationUUID: String) {
    self.transactionId = transactionId
    self.notificationUUID = notificationUUID
  }
}
