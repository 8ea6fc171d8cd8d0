/// An app whose data is accepted.
public struct ExpectedApp: Hashable, Sendable {
  public let bundleID: String
  /// The app's numeric id in the App Store; needed as soon as Production is allowed.
  public let appAppleID: Int64?

  public init(bundleID: String, appAppleID: Int64? = nil) {
    self.bundleID = bundleID
    self.appAppleID = appAppleID
  }
}
