/// The app download that a notification is about.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `appData` object.
public struct NotificationAppData: Hashable, Sendable {
  public var environment: AppStoreEnvironment?
  public var appAppleId: Int64?
  public var bundleId: String?
  /// Shape: a compact JWS.
  public var signedAppTransactionInfo: String?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension NotificationAppData: JSONPayload {
  package static let members = MemberTable<NotificationAppData>([
    .word("environment", { $0.environment }, { $0.environment = $1 }),
    .int64("appAppleId", { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("bundleId", { $0.bundleId }, { $0.bundleId = $1 }),
    .text(
      "signedAppTransactionInfo", { $0.signedAppTransactionInfo },
      { $0.signedAppTransactionInfo = $1 }),
  ])
}
