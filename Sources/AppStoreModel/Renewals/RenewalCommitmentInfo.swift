/// How a commitment will renew.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: `commitmentInfo` of Apple's `JWSRenewalInfoDecodedPayload`.
public struct RenewalCommitmentInfo: Hashable, Sendable {
  public var commitmentAutoRenewProductId: String?
  public var commitmentAutoRenewStatus: AutoRenewStatus?
  public var commitmentRenewalBillingPlanType: BillingPlanType?
  public var commitmentRenewalDate: Timestamp?
  /// Unit: milliunits of the currency.
  public var commitmentRenewalPrice: Int64?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension RenewalCommitmentInfo: JSONPayload {
  package static let members = MemberTable<RenewalCommitmentInfo>([
    .text(
      "commitmentAutoRenewProductId", { $0.commitmentAutoRenewProductId },
      { $0.commitmentAutoRenewProductId = $1 }),
    .code(
      "commitmentAutoRenewStatus", { $0.commitmentAutoRenewStatus },
      { $0.commitmentAutoRenewStatus = $1 }),
    .word(
      "commitmentRenewalBillingPlanType", { $0.commitmentRenewalBillingPlanType },
      { $0.commitmentRenewalBillingPlanType = $1 }),
    .moment(
      "commitmentRenewalDate", { $0.commitmentRenewalDate }, { $0.commitmentRenewalDate = $1 }),
    .int64(
      "commitmentRenewalPrice", { $0.commitmentRenewalPrice }, { $0.commitmentRenewalPrice = $1 }),
  ])
}
