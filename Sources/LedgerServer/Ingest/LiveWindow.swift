import AppStoreModel

/// How old a posted notification may be, and how far ahead of our clock, to take effect at once.
///
/// Apple repeats a notification for some days. What is much older was kept by somebody, and a true
/// signature under it does not tell who posts it and why.
package struct LiveWindow: Hashable, Sendable {
  /// 30 days, and five minutes ahead.
  package static let standard = LiveWindow(past: .days(30), ahead: .minutes(5))

  let past: TimeSpan
  let ahead: TimeSpan

  /// Why what was signed at `date` has no effect at `now`; `nil` when it has.
  func objection(to date: Timestamp, at now: Timestamp) -> String? {
    if date < now.subtracting(past) { return "signed over 30 days before it was posted" }
    if date > now.adding(ahead) { return "signed over 5 minutes ahead of this server's clock" }
    return nil
  }
}
