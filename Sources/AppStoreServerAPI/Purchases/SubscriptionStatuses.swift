public import AppStoreModel

/// Where a customer's subscriptions stand.
///
/// Source: Apple's `StatusResponse`.
public struct SubscriptionStatuses: Hashable, Sendable {
  /// Subscriptions of one group.
  ///
  /// Source: Apple's `SubscriptionGroupIdentifierItem`.
  public struct Group: Hashable, Sendable {
    public var subscriptionGroupIdentifier: String?
    public var lastTransactions: [Item]

    public init(_ subscriptionGroupIdentifier: String?, _ lastTransactions: [Item]) {
      self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
      self.lastTransactions = lastTransactions
    }
  }

  /// One subscription: its newest transaction and renewal, and the status, which nobody signed.
  ///
  /// Source: Apple's `LastTransactionsItem`.
  public struct Item: Hashable, Sendable {
    public var originalTransactionId: String
    public var status: SubscriptionStatus
    public var signedTransactionInfo: UnverifiedJWS
    public var signedRenewalInfo: UnverifiedJWS

    public init(
      _ originalTransactionId: String, _ status: SubscriptionStatus,
      signedTransactionInfo: UnverifiedJWS, signedRenewalInfo: UnverifiedJWS
    ) {
      self.originalTransactionId = originalTransactionId
      self.status = status
      self.signedTransactionInfo = signedTransactionInfo
      self.signedRenewalInfo = signedRenewalInfo
    }
  }

  public var groups: [Group]
  public var bundleId: String?
  /// Absent in the sandbox.
  public var appAppleId: Int64?
  public var environment: AppStoreEnvironment?

  public init(
    _ groups: [Group], bundleId: String? = nil, appAppleId: Int64? = nil,
    environment: AppStoreEnvironment? = nil
  ) {
    self.groups = groups
    self.bundleId = bundleId
    self.appAppleId = appAppleId
    self.environment = environment
  }
}
