public import AppStoreModel

/// A status that nobody signed, bound to the signed transaction and renewal beside it.
public struct ReportedStatus: Hashable, Sendable {
  public let scope: Scope
  /// By device (the kit asked StoreKit), or by a poll of Apple's API.
  public let channel: Channel
  public let status: SubscriptionStatus
  public internal(set) var transaction: TransactionCopy
  public internal(set) var renewal: RenewalCopy?

  /// Binds a status to what was signed beside it.
  ///
  /// - Parameters:
  ///   - status: As Apple's API or StoreKit states it.
  ///   - transaction: The last transaction beside it.
  ///   - renewal: The renewal information beside it.
  ///   - channel: How it reached us.
  ///   - environment: That of the answer around it, for payloads that carry none.
  /// - Throws: ``UnusableFact`` when a part lacks a member or the parts do not fit together.
  public init(
    _ status: SubscriptionStatus, transaction: Verified<JWSTransactionDecodedPayload>,
    renewal: Verified<JWSRenewalInfoDecodedPayload>?, channel: Channel,
    environment: AppStoreEnvironment? = nil
  ) throws(UnusableFact) {
    let parts = try PurchaseParts(transaction: transaction, renewal: renewal)
    guard let copy = parts.transaction else { throw .missing("signedTransactionInfo") }
    let around = Scope.Claim(realm: transaction.realm, bundleId: nil, environment: environment)
    scope = try Scope(agreedBy: parts.claims + [around])
    self.channel = channel
    self.status = status
    self.transaction = copy
    self.renewal = parts.renewal
  }

  /// The later of the two inner dates.
  public var date: Timestamp {
    max(transaction.signedDate, renewal?.signedDate ?? transaction.signedDate)
  }
}
