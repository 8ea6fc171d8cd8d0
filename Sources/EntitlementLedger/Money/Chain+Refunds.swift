import AppStoreModel

extension Chain {
  /// Every refund that was ever signalled and what it amounts to now, by transaction and date.
  public func refundEntries() -> [RefundEntry] {
    let refunds = revocationAnswers().filter(\.isRefund)
    var entries = refunds.map { RefundEntry($0, transactions[$0.key.transactionId]?.newest) }
    for state in transactions.values {
      guard let entry = RefundEntry(itemRefundsOf: state.newest),
        !refunds.contains(where: { $0.stands && $0.key.transactionId == entry.key.transactionId })
      else { continue }
      entries.removeAll { $0.key == entry.key }
      entries.append(entry)
    }
    return entries.sorted { $0.key < $1.key }
  }
}

extension RefundEntry {
  init(_ answer: RevocationAnswer, _ newest: TransactionCopy?) {
    self.init(
      key: answer.key, productId: answer.revocation.newestShowing.productId,
      revocationClass: answer.revocationClass, share: answer.share, stands: answer.stands,
      netRefund: answer.netRefund(newest))
  }

  /// Refunds of items that left the transaction as a whole alone; `nil` without any.
  init?(itemRefundsOf copy: TransactionCopy) {
    guard copy.inAppOwnershipType == .purchased, let amount = copy.advancedCommerceRefund,
      amount.milliunits != 0
    else { return nil }
    let date = copy.advancedCommerceRefundedAt ?? copy.purchaseDate
    self.init(
      key: RevocationKey(transactionId: copy.transactionId, revocationDate: date),
      productId: copy.productId, revocationClass: nil, share: nil, stands: true,
      netRefund: amount)
  }
}

extension RevocationAnswer {
  /// The share taken back: the whole where Apple names none.
  var share: RevokedShare {
    revocation.newestShowing.revocation?.share ?? .whole
  }

  func netRefund(_ newest: TransactionCopy?) -> Money? {
    guard stands else { return price.map { Money(milliunits: 0, currency: $0.currency) } }
    if let items = newest?.advancedCommerceRefund { return items.milliunits == 0 ? nil : items }
    return price?.part(share)
  }
}
