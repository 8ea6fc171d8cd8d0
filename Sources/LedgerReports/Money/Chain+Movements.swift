public import AppStoreModel
public import EntitlementLedger

extension Chain {
  /// Everything that happened to the money of this chain, in no order.
  public func moneyMovements(declines: [Decline] = []) -> [MoneyMovement] {
    revocationAnswers().flatMap { movements($0) } + itemRefunds + declines.map { movement($0) }
  }

  /// What Apple signalled for each refund, also for one that was undone since.
  public func signalledRefunds() -> [RevocationKey: Money] {
    var amounts: [RevocationKey: Money] = [:]
    for answer in revocationAnswers() where answer.isRefund {
      amounts[answer.key] = signalled(answer)
    }
    for refund in itemRefunds { amounts[refund.key] = refund.amount }
    return amounts
  }

  private func movements(_ answer: RevocationAnswer) -> [MoneyMovement] {
    let amount = answer.isRefund ? signalled(answer) : nil
    func movement(_ kind: MoneyMovement.Kind, at moment: Timestamp) -> MoneyMovement {
      MoneyMovement(
        kind: kind, key: answer.key, productId: answer.revocation.newestShowing.productId,
        at: moment, amount: amount, currency: amount?.currency ?? answer.price?.currency,
        share: answer.isRefund ? answer.revocation.newestShowing.revocation?.share : nil)
    }
    let happened = movement(answer.movementKind, at: answer.key.revocationDate)
    guard answer.isRefund, let reversedAt = answer.reversedAt else { return [happened] }
    return [happened, movement(.reversal, at: reversedAt)]
  }

  /// The amounts of items where the purchase has any, else the share of its price.
  private func signalled(_ answer: RevocationAnswer) -> Money? {
    let showing = answer.revocation.newestShowing
    let newest = transactions[answer.key.transactionId]?.newest
    let items =
      answer.stands ? newest?.advancedCommerceRefund : showing.advancedCommerceRefund
    if let items { return items.milliunits == 0 ? nil : items }
    return answer.price?.part(showing.revocation?.share ?? .whole)
  }

  private var itemRefunds: [MoneyMovement] {
    refundEntries().filter { $0.revocationClass == nil }.map { entry in
      MoneyMovement(
        kind: .itemRefund, key: entry.key, productId: entry.productId,
        at: entry.key.revocationDate, amount: entry.netRefund,
        currency: entry.netRefund?.currency)
    }
  }

  private func movement(_ decline: Decline) -> MoneyMovement {
    let newest = transactions[decline.transactionId]?.newest
    return MoneyMovement(
      kind: .decline,
      key: RevocationKey(transactionId: decline.transactionId, revocationDate: decline.at),
      productId: newest?.productId ?? "", at: decline.at, amount: newest?.price,
      currency: newest?.price?.currency)
  }
}

extension RevocationAnswer {
  fileprivate var movementKind: MoneyMovement.Kind {
    switch revocationClass {
    case .fullRefund: isRefund ? .fullRefund : .unclassified
    case .proratedRefund: isRefund ? .proratedRefund : .unclassified
    case .familyRevocation: .familyRevocation
    case .assignmentRevocation: .seatRevocation
    case .bundleMove: .bundleMove
    case .unclassified: .unclassified
    }
  }
}
