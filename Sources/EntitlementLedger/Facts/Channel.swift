/// How a fact reached us.
public enum Channel: String, Hashable, Sendable, CaseIterable {
  /// The app on the customer's device.
  case device
  /// App Store Server Notifications V2.
  case notification
  /// Apple's notification history.
  case history
  /// The App Store Server API.
  case poll
  /// The walk through a transaction history on a new installation: Apple's API too.
  case `import`

  /// Whether Apple's API itself gave the copy, so that a clean copy may reopen what was revoked.
  public var isAppleAPI: Bool {
    self == .poll || self == .import
  }
}
