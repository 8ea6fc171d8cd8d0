import AppStoreModel

extension SimulatedDevice {
  /// How a refund is described by the App Store.
  public enum RefundKind: Hashable, Sendable {
    /// All of it.
    case full
    /// The App Store kept some: the share that went back, in percent.
    case prorated(percent: Int)
    /// So many of a purchase of several.
    case partOfQuantity(Int)
  }

  /// The App Store gives money back for a transaction, and tells it unless the app is closed.
  public func refund(
    _ id: SimulatedTransactionID, _ kind: RefundKind = .full, forAppIssue: Bool = false
  ) {
    let quantity = mutate { $0.purchase(id)?.quantity ?? 1 }
    let share: Int32 =
      switch kind {
      case .full: 100_000
      case .prorated(let percent): Int32(clamping: percent * 1_000)
      case .partOfQuantity(let count): Int32(clamping: count * 100_000 / Int(quantity))
      }
    revoke(
      id, type: kind == .full ? .refundFull : .refundProrated,
      reason: forAppIssue ? .developerIssue : .other, percentage: share)
  }

  /// The App Store undoes a refund: the transaction is clean again.
  public func reverseRefund(_ id: SimulatedTransactionID) {
    mutate { $0.restore(id) }
    announce(id)
  }

  /// A family stops sharing, the customer leaves it, or whoever paid was refunded, for a fault of the
  /// app or another reason.
  public func endFamilySharing(_ id: SimulatedTransactionID, forAppIssue: Bool = false) {
    revoke(
      id, type: .familyRevoke, reason: forAppIssue ? .developerIssue : .other, percentage: nil)
  }

  /// The organisation takes a seat away.
  public func withdrawSeat(_ id: SimulatedTransactionID) {
    revoke(id, type: .assignmentRevoke, reason: .other, percentage: nil)
  }

  /// The date of a known refund changes, as it was once seen to do.
  public func redateRefund(_ id: SimulatedTransactionID) {
    mutate { store in
      let now = store.now
      store.change(id) { $0.revocation?.date = now }
    }
    announce(id)
  }

  /// The App Store takes back the app itself, which was paid for; nothing is announced.
  public func refundApp() { mutate { $0.appRevocation = $0.now } }

  /// The refund of the app itself is undone; nothing is announced.
  public func reverseAppRefund() { mutate { $0.appRevocation = nil } }

  /// The App Store takes a transaction back in words that nobody knows yet.
  public func revoke(_ id: SimulatedTransactionID, reason: Int, type: String?) {
    revoke(
      id, type: type.map { RevocationType(rawValue: $0) },
      reason: RevocationReason(rawValue: Int32(clamping: reason)), percentage: nil)
  }

  private func revoke(
    _ id: String, type: RevocationType?, reason: RevocationReason, percentage: Int32?
  ) {
    let before = mutate { $0.purchase(id) }
    mutate { $0.revoke(id, type: type, reason: reason, percentage: percentage) }
    guard mutate({ $0.switches.announcesRevocations }) else { return }
    if let before, mutate({ $0.switches.announcesCleanCopyFirst }) { announce(before) }
    announce(id)
    if let original = before?.originalID { announceStatus(original) }
  }
}
