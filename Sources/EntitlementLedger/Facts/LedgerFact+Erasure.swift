extension LedgerFact {
  /// The same without what Apple signed about who bought.
  package var withoutPerson: LedgerFact {
    switch self {
    case .notification(var fact):
      fact.transaction = fact.transaction?.withoutPerson
      fact.renewal = fact.renewal?.withoutPerson
      return .notification(fact)
    case .transaction(var fact):
      fact.transaction = fact.transaction.withoutPerson
      return .transaction(fact)
    case .renewal(var fact):
      fact.renewal = fact.renewal.withoutPerson
      return .renewal(fact)
    case .status(var fact):
      fact.transaction = fact.transaction.withoutPerson
      fact.renewal = fact.renewal?.withoutPerson
      return .status(fact)
    case .own: return self
    }
  }
}

extension TransactionCopy {
  fileprivate var withoutPerson: TransactionCopy {
    var copy = self
    copy.appAccountToken = nil
    copy.appTransactionId = nil
    return copy
  }
}

extension RenewalCopy {
  fileprivate var withoutPerson: RenewalCopy {
    var copy = self
    copy.appAccountToken = nil
    copy.appTransactionId = nil
    return copy
  }
}
