package import AppStoreModel

/// A notification on its way to the receiver.
package struct OutgoingNotification: Sendable {
  package let notification: UnsignedNotification
  /// Oldest first.
  package internal(set) var attempts: [SendAttempt] = []
  /// When it is sent next, absent when it has arrived or been given up.
  package internal(set) var dueAt: Timestamp?
  /// Whether it is the second copy of another one, which Apple's history does not list.
  package let isCopy: Bool
  /// Whether it never arrives, while the App Store believes so.
  let isDropped: Bool

  package var hasArrived: Bool { attempts.last?.result == .success }
}

/// One post of one notification.
package struct Transmission: Sendable {
  /// Its place in ``Outbox/notifications``.
  package let index: Int
  /// From 1.
  package let attempt: Int
  /// When, by the store's clock.
  package let date: Timestamp
  /// As it is to be signed for this attempt.
  package let notification: UnsignedNotification
}
