import AppStoreModel
import EntitlementLedger
import Testing

struct RevocationClassTests {
  struct Row: Sendable {
    let type: RevocationType?
    let owner: InAppOwnershipType?
    let reason: RevocationReason?
    let told: NotificationType
    let wanted: RevocationClass
    let isRefund: Bool
  }

  // revocationType, ownership, reason, told by, class, whether money went back
  private static let rows: [Row] = [
    row(.refundFull, .purchased, .other, .refund, .fullRefund, true),
    row(.refundProrated, .purchased, .other, .refund, .proratedRefund, true),
    row(.familyRevoke, .familyShared, .other, .revoke, .familyRevocation, false),
    row(.assignmentRevoke, .assigned, nil, .revoke, .assignmentRevocation, false),
    row(.unknown("ASSIGNMENT_REVOKE_X"), .purchased, .other, .refund, .unclassified, false),
    row(nil, .familyShared, .developerIssue, .revoke, .familyRevocation, false),
    row(nil, .assigned, .other, .revoke, .assignmentRevocation, false),
    row(nil, .unknown("LENT"), .other, .refund, .unclassified, false),
    row(nil, nil, .other, .refund, .unclassified, false),
    row(nil, .purchased, .upgradedToBundle, .didChangeRenewalPref, .bundleMove, false),
    row(nil, .purchased, .unknown(7), .refund, .fullRefund, true),
    row(nil, .purchased, .unknown(7), .revoke, .unclassified, false),
    row(nil, .purchased, .unknown(7), .subscribed, .unclassified, false),
    row(nil, .purchased, nil, .subscribed, .unclassified, false),
    row(nil, .purchased, .other, .subscribed, .fullRefund, true),
    row(nil, .purchased, .developerIssue, .subscribed, .fullRefund, true),
    row(nil, .purchased, .other, .revoke, .unclassified, false),
    row(.refundFull, .purchased, .other, .revoke, .fullRefund, false),
    row(.refundFull, .unknown("LENT"), .other, .refund, .fullRefund, false),
  ]

  private static func row(
    _ type: RevocationType?, _ owner: InAppOwnershipType?, _ reason: RevocationReason?,
    _ told: NotificationType, _ wanted: RevocationClass, _ isRefund: Bool
  ) -> Row {
    Row(
      type: type, owner: owner, reason: reason, told: told, wanted: wanted, isRefund: isRefund)
  }

  @Test(arguments: rows)
  func `the class follows type, ownership, reason and what told it, in this order`(
    row: Row
  ) throws {
    let payload = Sample.month { $0.inAppOwnershipType = row.owner }
      .revoked(.day(3), reason: row.reason, type: row.type)
    let known = chain(try notified(row.told, .day(3), payload))
    let answer = try #require(known.revocationAnswers().first)
    #expect(answer.revocationClass == row.wanted)
    #expect(answer.isRefund == row.isRefund)
    #expect(known.refundEntries().isEmpty != row.isRefund)
    let isOpen = row.wanted == .bundleMove
    let verdict = known.answer(at: .day(4)).products.first?.verdict
    #expect(verdict == (isOpen ? .granted : .denied))
  }

  @Test func `each class names its own denial`() throws {
    let reasons: [(RevocationType, DecisionReason)] = [
      (.refundFull, .refunded), (.refundProrated, .refunded), (.familyRevoke, .familyRevoked),
      (.assignmentRevoke, .assignmentRevoked), (.unknown("NEW"), .revoked),
    ]
    for (type, reason) in reasons {
      let known = chain(try seen(Sample.month().revoked(.day(3), type: type)))
      #expect(known.answer(at: .day(4)).products.map(\.reason) == [reason])
    }
  }
}
