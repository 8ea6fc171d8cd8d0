package import AppStoreModel
package import LedgerReports

/// One refund with who knew of it when, and what was spent on its purchase.
package struct LateRefund: Hashable, Sendable {
  package let listed: ListedRefund
  /// What Apple signalled, also where it was undone since.
  package let signalled: Money?
  package let reversedAt: Timestamp?
  package let sighted: SightedRefund
  package let spend: LateSpend
}
