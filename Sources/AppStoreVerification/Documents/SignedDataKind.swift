/// The four kinds of JWS that the App Store signs for a server.
public enum SignedDataKind: String, CaseIterable, Hashable, Sendable {
  /// An App Store Server Notification; the other three may stand inside it.
  case notification
  case transaction
  case renewalInfo
  case appTransaction
}
