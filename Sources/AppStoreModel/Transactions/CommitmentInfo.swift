/// Where a monthly plan with a longer commitment stands.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: `commitmentInfo` of Apple's `JWSTransactionDecodedPayload`.
public struct CommitmentInfo: Hashable, Sendable {
  public var billingPeriodNumber: Int32?
  public var totalBillingPeriods: Int32?
  public var commitmentExpiresDate: Timestamp?
  /// Unit: milliunits of the currency.
  public var commitmentPrice: Int64?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension CommitmentInfo: JSONPayload {
  package static let members = MemberTable<CommitmentInfo>([
    .int32("billingPeriodNumber", { $0.billingPeriodNumber }, { $0.billingPeriodNumber = $1 }),
    .int32("totalBillingPeriods", { $0.totalBillingPeriods }, { $0.totalBillingPeriods = $1 }),
    .moment(
      "commitmentExpiresDate", { $0.commitmentExpiresDate }, { $0.commitmentExpiresDate = $1 }),
    .int64("commitmentPrice", { $0.commitmentPrice }, { $0.commitmentPrice = $1 }),
  ])
}
