import AppStoreModel

extension Chain {
  /// What the consumables of the chain put into balances, by transaction.
  ///
  /// Only what was bought counts: a shared copy fills nobody's balance. Quantity multiplies; with
  /// any other kind of product it is seats.
  ///
  /// - Parameter catalog: Products without an amount put nothing into a balance.
  /// - Returns: In the order of the transactions' ids.
  public func creditGrants(_ catalog: Catalog) -> [CreditGrant] {
    let candidates = transactions.values.compactMap { state in
      grant(of: state.newest, catalog).map { (state.newest, $0) }
    }
    if candidates.isEmpty { return [] }
    let revocations = revocationAnswers()
    return candidates.map { copy, amount in
      CreditGrant(
        transactionId: copy.transactionId, productId: copy.productId,
        purchaseDate: copy.purchaseDate, unit: amount.unit, credits: amount.amount,
        takenBack: takenBack(copy.transactionId, revocations))
    }.sorted { $0.transactionId < $1.transactionId }
  }

  private func grant(of copy: TransactionCopy, _ catalog: Catalog) -> Credits? {
    switch copy.inAppOwnershipType {
    case .familyShared, .assigned: return nil
    case .purchased, .unknown, nil: break
    }
    let entry = catalog.entry(for: copy.productId, boughtAt: copy.purchaseDate)
    guard let entry, let each = entry.creditsPerUnit,
      PurchaseKind(copy, entry) == .consumable
    else { return nil }
    let (amount, isTooMuch) = each.multipliedReportingOverflow(by: Int64(copy.quantity))
    return Credits(
      unit: entry.creditUnit, amount: isTooMuch ? Credits.greatest : min(amount, Credits.greatest))
  }

  /// What stands against a transaction now; `nil` while nothing does.
  public func takenBack(_ transactionId: String) -> CreditGrant.TakenBack? {
    if revocations.isEmpty && undatedRevocations.isEmpty { return nil }
    return takenBack(transactionId, revocationAnswers())
  }

  /// Why a transaction is taken back now, as a decision about it says; `nil` while nothing stands.
  public func withdrawal(of transactionId: String) -> DecisionReason? {
    if revocations.isEmpty && undatedRevocations.isEmpty { return nil }
    let own = revocationAnswers().answers(of: transactionId)
    if let standing = own.last(where: \.endsAccess) { return standing.revocationClass.denial }
    return isRevokedWithoutDate(transactionId, own) ? .revokedWithoutDate : nil
  }

  /// Whether any of its transactions is of a kind that fills balances.
  public func mayFillBalances(_ catalog: Catalog) -> Bool {
    transactions.values.contains { state in
      let copy = state.newest
      let entry = catalog.entry(for: copy.productId, boughtAt: copy.purchaseDate)
      return PurchaseKind(copy, entry) == .consumable
    }
  }

  private func takenBack(
    _ transactionId: String, _ known: [RevocationAnswer]
  ) -> CreditGrant.TakenBack? {
    let own = known.answers(of: transactionId)
    if let standing = own.last(where: \.endsAccess) {
      return CreditGrant.TakenBack(
        key: standing.key, share: standing.share, isRefund: standing.isRefund)
    }
    guard isRevokedWithoutDate(transactionId, own),
      let told = undatedRevocations[transactionId]?.values.min()
    else { return nil }
    return CreditGrant.TakenBack(
      key: RevocationKey(transactionId: transactionId, revocationDate: told), share: .whole,
      isRefund: false)
  }
}
