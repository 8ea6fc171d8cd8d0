public import AppStoreModel

/// What one fact means, read alone: what a support engineer wants to know first.
public struct FactExplanation: Hashable, Sendable {
  /// A closed list.
  public enum Meaning: String, Hashable, Sendable, CaseIterable {
    /// Money goes back, and the access that it paid for ends.
    case refund
    /// Money of an earlier renewal goes back, and the subscription itself stays active.
    case refundOfEarlierPeriod
    /// Money of an item goes back, and access stays.
    case refundOfItem
    /// Money goes back and the transaction does not show it.
    case refundWithoutDate
    /// A refund is undone.
    case refundReversal
    /// A family member loses access, and no money moves.
    case familyRevocation
    /// A seat is taken away, and no money moves.
    case assignmentRevocation
    /// Access ends in a way that tells neither refund nor sharing.
    case revocation
    /// The purchase goes on in a bundle.
    case bundleMove
    /// A purchase or renewal that grants at the moment it was signed.
    case access
    /// Nothing is granted at the moment it was signed.
    case noAccess
    /// A consumable: it fills a balance.
    case consumable
  }

  public let meaning: Meaning
  public let transaction: TransactionCopy?
  public let renewal: RenewalCopy?
  public let status: SubscriptionStatus?
  /// What the fact alone would answer at the moment it was signed.
  public let answer: ChainAnswer
  /// The revocation that the fact shows.
  public let revocation: RevocationAnswer?
  /// What the fact alone would book.
  public let refund: RefundEntry?
  /// Until when the chain stays active by what the fact itself tells; `nil` where it does not.
  public let activeUntil: Timestamp?
}

extension LedgerFact {
  /// What the fact means alone; `nil` for one of our own.
  ///
  /// - Parameter catalog: What the app's products mean.
  /// - Returns: The meaning with what it was read from.
  public func explanation(catalog: Catalog = .empty) -> FactExplanation? {
    guard let key = chains.first else { return nil }
    let chain = Chain(key: key, folding: [self], signedBy: .distantFuture)
    let answer = chain.answer(at: date, catalog: catalog)
    let revocation = chain.revocationAnswers().last
    let grants = answer.products.contains { $0.reason.verdict == .granted }
    let isActive = grants || (status == .active || status == .billingGracePeriod)
    return FactExplanation(
      meaning: meaning(revocation, grants: grants, isActive: isActive), transaction: transaction,
      renewal: renewal, status: status, answer: answer, revocation: revocation,
      refund: chain.refundEntries().last,
      activeUntil: isActive
        ? answer.products.compactMap(\.until).max() ?? renewal?.renewalDate : nil)
  }

  private var status: SubscriptionStatus? {
    switch self {
    case .notification(let fact): fact.status
    case .status(let fact): fact.status
    case .transaction, .renewal, .own: nil
    }
  }

  private var notificationType: NotificationType? {
    if case .notification(let fact) = self { fact.type } else { nil }
  }

  private func meaning(
    _ revocation: RevocationAnswer?, grants: Bool, isActive: Bool
  ) -> FactExplanation.Meaning {
    if notificationType == .refundReversed { return .refundReversal }
    if let revocation { return meaning(of: revocation, isActive: isActive) }
    if notificationType == .refund {
      let isItem = (transaction?.advancedCommerceRefund?.milliunits ?? 0) != 0
      return isItem ? .refundOfItem : .refundWithoutDate
    }
    if notificationType == .revoke { return .revocation }
    if transaction?.type == .consumable { return .consumable }
    return grants ? .access : .noAccess
  }

  private func meaning(
    of revocation: RevocationAnswer, isActive: Bool
  ) -> FactExplanation.Meaning {
    switch revocation.revocationClass {
    case .fullRefund, .proratedRefund: isActive ? .refundOfEarlierPeriod : .refund
    case .familyRevocation: .familyRevocation
    case .assignmentRevocation: .assignmentRevocation
    case .bundleMove: .bundleMove
    case .unclassified: .revocation
    }
  }
}
