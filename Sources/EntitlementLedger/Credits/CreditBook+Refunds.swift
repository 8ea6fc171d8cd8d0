extension CreditBook {
  /// Puts a new lot into the book.
  public mutating func fill(_ id: CreditLot.ID, with grant: CreditGrant) {
    precondition(lot(id) == nil, "A lot is filled once.")
    insert(
      CreditLot(
        id: id, transactionId: grant.transactionId, purchaseDate: grant.purchaseDate,
        filled: grant.credits))
    note(.filled, grant.credits, change: grant.credits, lot: id)
    payDebts()
  }

  /// Takes a lot over from the book of another customer, who had owned its purchase.
  public mutating func adopt(_ lot: CreditLot) {
    precondition(self.lot(lot.id) == nil, "A lot is in one book, once.")
    precondition(lot.takenBack == nil && lot.held == 0 && lot.paid == 0, "It left its book clean.")
    insert(lot)
    note(.movedIn, lot.available, change: lot.available, lot: lot.id)
    payDebts()
  }

  /// Lets a lot go with its purchase: what it paid to debts goes back into it first.
  ///
  /// Nothing of it may be set aside.
  ///
  /// - Parameter id: Of a lot in the book.
  /// - Returns: The lot as it leaves: with what was spent of it, and no refund applied.
  public mutating func giveUp(_ id: CreditLot.ID) -> CreditLot {
    update(id, nil, .writeOff)
    undoPayments(of: id)
    guard let lot = lot(id) else { preconditionFailure("A lot leaves the book that it is in.") }
    remove(id)
    note(.movedOut, lot.available, change: -lot.available, lot: id)
    payDebts()
    return lot
  }

  /// Makes a lot follow what stands of its purchase: a refund takes back, a reversal undoes exactly
  /// what its refund did.
  ///
  /// - Parameters:
  ///   - id: Of a lot in the book.
  ///   - takenBack: What stands now; `nil` for nothing.
  ///   - treatment: What becomes of credits that were spent already.
  public mutating func update(
    _ id: CreditLot.ID, _ takenBack: CreditGrant.TakenBack?, _ treatment: PolicyEntry.SpentCredits
  ) {
    guard let lot = lot(id), lot.takenBack != takenBack else { return }
    if let old = lot.takenBack { giveBack(id, .refund(lot: id, old.key)) }
    if let takenBack { takeBack(id, takenBack, treatment) }
    payDebts()
  }

  /// Lets a debt or a freeze go; what was paid stays paid.
  public mutating func forgive(_ cause: CreditDebt.Cause) {
    guard let debt = debts.first(where: { $0.cause == cause }), !debt.isForgiven else { return }
    change(cause) { $0.isForgiven = true }
    note(.forgiven, debt.credits - debt.paid, change: debt.open, debt: cause)
  }

  private mutating func takeBack(
    _ id: CreditLot.ID, _ takenBack: CreditGrant.TakenBack, _ treatment: PolicyEntry.SpentCredits
  ) {
    // Else a payment that is undone later would free credits of a purchase that stands refunded.
    undoPayments(of: id)
    var missing: Int64 = 0
    change(id) { lot in
      let part = takenBack.part(of: lot.filled)
      lot.taken = min(part, lot.available)
      lot.takenBack = takenBack
      missing = part - lot.taken
    }
    let taken = lot(id)?.taken ?? 0
    note(.takenBack, taken, change: -taken, lot: id)
    if missing > 0 {
      open(
        .refund(lot: id, takenBack.key), takenBack.isRefund ? treatment : .writeOff, missing)
    }
  }

  private mutating func giveBack(_ id: CreditLot.ID, _ cause: CreditDebt.Cause) {
    if let debt = debts.first(where: { $0.cause == cause }) {
      for payment in debt.payments { undo(payment, of: cause) }
      let open = debts.first { $0.cause == cause }?.open ?? 0
      remove(cause)
      note(.undone, debt.credits, change: open, lot: id, debt: cause)
    }
    let taken = lot(id)?.taken ?? 0
    change(id) { lot in
      lot.taken = 0
      lot.takenBack = nil
    }
    note(.givenBack, taken, change: taken, lot: id)
  }

  /// Puts everything that a lot paid back into it.
  private mutating func undoPayments(of id: CreditLot.ID) {
    for debt in debts {
      for payment in debt.payments where payment.lot == id { undo(payment, of: debt.cause) }
    }
  }

  func lotID(of cause: CreditDebt.Cause) -> CreditLot.ID? {
    if case .refund(let lot, _) = cause { lot } else { nil }
  }
}
