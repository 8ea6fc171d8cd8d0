package import AppStoreModel

/// When the App Store tries again.
///
/// Source: Apple's "Responding to App Store Server Notifications".
package enum RetryTimetable {
  /// How long after each attempt that failed the next one comes, in production.
  package static let waits: [TimeSpan] = [
    .hours(1), .hours(12), .hours(24), .hours(48), .hours(72),
  ]

  /// When a notification is sent next, absent when it has arrived or been given up.
  ///
  /// The sandbox tries once.
  package static func next(
    after attempts: [SendAttempt], in environment: AppStoreEnvironment
  ) -> Timestamp? {
    guard let last = attempts.last, last.result != .success, environment != .sandbox,
      attempts.count <= waits.count
    else { return nil }
    return last.date.adding(waits[attempts.count - 1])
  }
}
