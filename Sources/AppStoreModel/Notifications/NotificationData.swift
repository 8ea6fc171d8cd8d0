/// The app and the purchase that a notification is about.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `data` object.
public struct NotificationData: Hashable, Sendable {
  public var environment: AppStoreEnvironment?
  /// The app's id in the App Store; may be missing in the sandbox.
  public var appAppleId: Int64?
  public var bundleId: String?
  public var bundleVersion: String?
  /// A compact JWS; absent on TEST.
  public var signedTransactionInfo: String?
  /// A compact JWS; auto-renewable subscriptions only.
  public var signedRenewalInfo: String?
  /// As of the outer `signedDate`; auto-renewable subscriptions only.
  public var status: SubscriptionStatus?
  public var consumptionRequestReason: ConsumptionRequestReason?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension NotificationData: JSONPayload {
  package static let members = MemberTable<NotificationData>([
    .word("environment", { $0.environment }, { $0.environment = $1 }),
    .int64("appAppleId", { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("bundleId", { $0.bundleId }, { $0.bundleId = $1 }),
    .text("bundleVersion", { $0.bundleVersion }, { $0.bundleVersion = $1 }),
    .text("signedTransactionInfo", { $0.signedTransactionInfo }, { $0.signedTransactionInfo = $1 }),
    .text("signedRenewalInfo", { $0.signedRenewalInfo }, { $0.signedRenewalInfo = $1 }),
    .code("status", { $0.status }, { $0.status = $1 }),
    .word(
      "consumptionRequestReason", { $0.consumptionRequestReason },
      { $0.consumptionRequestReason = $1 }),
  ])
}
