public import AppStoreModel

extension Chain {
  /// Takes in a fact that names this chain, as its own or as the predecessor of its own.
  ///
  /// The result does not depend on the order of facts, and a repeated fact changes nothing.
  ///
  /// - Returns: Which records changed.
  public mutating func join(_ fact: LedgerFact) -> Change {
    var change = Change()
    guard fact.scope == key.scope else { return change }
    if let copy = fact.transaction, copy.previousOriginalTransactionId == id {
      joinSuccessor(copy, &change)
    }
    guard (fact.transaction?.originalTransactionId ?? fact.renewal?.originalTransactionId) == id
    else { return change }
    switch fact {
    case .notification(let fact): join(fact, &change)
    case .transaction(let fact): join(fact.transaction, fact.channel, &change)
    case .renewal(let fact): join(fact.renewal, &change)
    case .status(let fact): join(fact, &change)
    case .own: break
    }
    return change
  }

  /// The chain that the facts signed by `moment` add up to.
  public init(key: ChainKey, folding facts: some Sequence<LedgerFact>, signedBy moment: Timestamp) {
    self.init(key: key)
    for fact in facts where fact.date <= moment { _ = join(fact) }
  }

  private var id: String { key.originalTransactionId }

  private mutating func join(_ fact: NotificationFact, _ change: inout Change) {
    if let copy = fact.transaction {
      join(copy, fact.channel, &change)
      joinMeaning(of: fact, about: copy, &change)
    }
    if let renewal = fact.renewal { join(renewal, &change) }
    if let status = fact.status {
      let entry = StatusEntry(
        id: fact.notificationUUID, source: .notification, status: status, date: fact.outerDate,
        transactionId: fact.transaction?.transactionId,
        revocationDate: fact.transaction?.revocation?.date, renewal: fact.renewal)
      join(entry, &change)
    }
  }

  private mutating func joinMeaning(
    of fact: NotificationFact, about copy: TransactionCopy, _ change: inout Change
  ) {
    let mark = NotificationMark(
      transactionId: copy.transactionId, notificationUUID: fact.notificationUUID)
    switch fact.type {
    case .refundReversed:
      if Self.keepEarliest(fact.outerDate, mark, in: &reversals) { change.reversals.append(mark) }
    case .refund where copy.hasAdvancedCommerceRefund && copy.revocation == nil:
      break  // Money of an item went back, and access stays: the copy says how much.
    case .refund, .revoke:
      if let fields = copy.revocation {
        noteSeen(fact.type, copy.revocationKey(fields), &change)
      } else if Self.keepEarliest(fact.outerDate, mark, in: &undatedRevocations) {
        change.undatedRevocations.append(mark)
      }
    default: break
    }
  }

  private mutating func noteSeen(
    _ type: NotificationType?, _ key: RevocationKey, _ change: inout Change
  ) {
    guard var revocation = revocations[key] else { return }
    if type == .refund { revocation.refundSeen = true } else { revocation.revokeSeen = true }
    keep(revocation, &change)
  }

  private mutating func join(_ fact: ReportedStatus, _ change: inout Change) {
    join(fact.transaction, fact.channel, &change)
    if let renewal = fact.renewal { join(renewal, &change) }
    join(StatusEntry(fact), &change)
  }

  private mutating func join(
    _ copy: TransactionCopy, _ channel: Channel, _ change: inout Change
  ) {
    let old = transactions[copy.transactionId]
    let new = old?.joined(with: copy, channel) ?? TransactionState(first: copy, channel)
    if new != old {
      transactions[copy.transactionId] = new
      change.transactionIds.append(copy.transactionId)
    }
    guard let fields = copy.revocation else { return }
    let key = copy.revocationKey(fields)
    keep(revocations[key]?.joined(with: copy, channel) ?? Revocation(key, copy, channel), &change)
  }

  private mutating func keep(_ revocation: Revocation, _ change: inout Change) {
    guard revocations[revocation.key] != revocation else { return }
    revocations[revocation.key] = revocation
    if !change.revocations.contains(revocation.key) { change.revocations.append(revocation.key) }
  }

  private mutating func join(_ copy: RenewalCopy, _ change: inout Change) {
    guard let old = renewal else {
      renewal = copy
      change.renewal = true
      return
    }
    guard copy != old, copy.signedDate >= old.signedDate else { return }
    let isTied = copy.signedDate == old.signedDate
    let kept = !isTied || copy.precedes(old) ? copy : old
    guard kept != old || isTied != renewalIsContested else { return }
    renewal = kept
    renewalIsContested = isTied
    change.renewal = true
  }

  private mutating func join(_ entry: StatusEntry, _ change: inout Change) {
    if let old = statuses[entry.id], !entry.replaces(old) { return }
    statuses[entry.id] = entry
    change.statusIds.append(entry.id)
  }

  private mutating func joinSuccessor(_ copy: TransactionCopy, _ change: inout Change) {
    if let known = succeededAt, known <= copy.purchaseDate { return }
    succeededAt = copy.purchaseDate
    change.succession = true
  }

  /// Whether `date` is news under the mark.
  private static func keepEarliest(
    _ date: Timestamp, _ mark: NotificationMark, in map: inout [String: [String: Timestamp]]
  ) -> Bool {
    if let known = map[mark.transactionId]?[mark.notificationUUID], known <= date { return false }
    map[mark.transactionId, default: [:]][mark.notificationUUID] = date
    return true
  }
}

extension TransactionCopy {
  fileprivate func revocationKey(_ fields: RevocationFields) -> RevocationKey {
    RevocationKey(transactionId: transactionId, revocationDate: fields.date)
  }

  fileprivate var hasAdvancedCommerceRefund: Bool {
    (advancedCommerceRefund?.milliunits ?? 0) != 0
  }
}
