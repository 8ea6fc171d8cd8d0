extension CreditBook {
  mutating func open(
    _ cause: CreditDebt.Cause, _ treatment: PolicyEntry.SpentCredits, _ credits: Int64
  ) {
    append(CreditDebt(cause: cause, treatment: treatment, credits: credits))
    let kind: CreditEntry.Kind =
      switch treatment {
      case .debt: .owed
      case .freeze: .frozen
      case .writeOff: .writtenOff
      }
    note(
      kind, credits, change: treatment == .debt ? -credits : 0, lot: lotID(of: cause), debt: cause)
  }

  /// Pays what is owed with what is there: the oldest debt first, from the lots bought first.
  mutating func payDebts() {
    guard lots.contains(where: { $0.available > 0 }) else { return }
    for debt in debts where debt.open > 0 {
      var open = debt.open
      for lot in lots where open > 0 && lot.available > 0 {
        let part = min(open, lot.available)
        pay(debt.cause, part, from: lot.id)
        open -= part
      }
    }
  }

  private mutating func pay(
    _ cause: CreditDebt.Cause, _ credits: Int64, from lot: CreditLot.ID
  ) {
    change(lot) { $0.paid += credits }
    change(cause) { debt in
      if let same = debt.payments.firstIndex(where: { $0.lot == lot }) {
        debt.payments[same].credits += credits
      } else {
        debt.payments.append(CreditDebt.Payment(lot: lot, credits: credits))
      }
    }
    note(.paid, credits, change: 0, lot: lot, debt: cause)
  }

  /// Puts what one lot paid back into it.
  ///
  /// Of a debt that was forgiven nothing is owed again.
  mutating func undo(_ payment: CreditDebt.Payment, of cause: CreditDebt.Cause) {
    let before = debts.first { $0.cause == cause }?.open ?? 0
    change(payment.lot) { $0.paid -= payment.credits }
    change(cause) { debt in debt.payments.removeAll { $0.lot == payment.lot } }
    let after = debts.first { $0.cause == cause }?.open ?? 0
    note(
      .repaid, payment.credits, change: payment.credits - (after - before), lot: payment.lot,
      debt: cause)
  }
}
