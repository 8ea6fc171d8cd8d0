public import AppStoreModel

/// Up to twenty transactions of a customer.
///
/// Source: Apple's `HistoryResponse` and `RefundHistoryResponse`.
public struct TransactionPage: Hashable, Sendable, Page {
  public var signedTransactions: [UnverifiedJWS]
  /// The mark of what follows, also on the last page: what changes later comes after it.
  public var revision: String?
  public var hasMore: Bool
  /// Absent from a refund history, as are the next two.
  public var bundleId: String?
  /// Absent in the sandbox too.
  public var appAppleId: Int64?
  public var environment: AppStoreEnvironment?

  public var mark: String? { revision }

  public init(
    _ signedTransactions: [UnverifiedJWS], revision: String?, hasMore: Bool,
    bundleId: String? = nil, appAppleId: Int64? = nil, environment: AppStoreEnvironment? = nil
  ) {
    self.signedTransactions = signedTransactions
    self.revision = revision
    self.hasMore = hasMore
    self.bundleId = bundleId
    self.appAppleId = appAppleId
    self.environment = environment
  }
}
