/// What came of extending renewal dates for many subscribers.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `summary` object.
public struct NotificationSummary: Hashable, Sendable {
  public var requestIdentifier: String?
  public var environment: AppStoreEnvironment?
  public var appAppleId: Int64?
  public var bundleId: String?
  public var productId: String?
  /// ISO 3166-1 alpha-3 codes; absent or empty means all.
  public var storefrontCountryCodes: [String]?
  public var succeededCount: Int64?
  public var failedCount: Int64?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension NotificationSummary: JSONPayload {
  package static let members = MemberTable<NotificationSummary>([
    .text("requestIdentifier", { $0.requestIdentifier }, { $0.requestIdentifier = $1 }),
    .word("environment", { $0.environment }, { $0.environment = $1 }),
    .int64("appAppleId", { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("bundleId", { $0.bundleId }, { $0.bundleId = $1 }),
    .text("productId", { $0.productId }, { $0.productId = $1 }),
    .texts(
      "storefrontCountryCodes", { $0.storefrontCountryCodes }, { $0.storefrontCountryCodes = $1 }),
    .int64("succeededCount", { $0.succeededCount }, { $0.succeededCount = $1 }),
    .int64("failedCount", { $0.failedCount }, { $0.failedCount = $1 }),
  ])
}
