package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// What a customer has in each unit, lot by lot.
  package func balances(
    of key: CustomerKey, now: Timestamp
  ) throws(StoreError) -> CustomerBalances {
    guard let customer = try customers.find(key) else {
      return CustomerBalances(customer: key, version: 0, asOf: now, balances: [])
    }
    let all = try lots.all(ofCustomer: customer.id)
    let units = try Set(all.map(\.unit)).union(debts.units(ofCustomer: customer.id)).sorted()
    let balances = try units.map { (unit) throws(StoreError) in
      try balance(unit, of: customer.id, all.filter { $0.unit == unit })
    }
    return CustomerBalances(
      customer: key, version: customer.version, asOf: now, balances: balances)
  }

  /// Lets a debt or a freeze go, in the operator's name; what was paid stays paid.
  ///
  /// - Returns: Whether the customer has such a debt.
  package func forgive(
    _ debt: String, of key: CustomerKey, note: String, now: Timestamp
  ) throws(StoreError) -> Bool {
    guard let customer = try customers.find(key),
      let (row, unit) = try debts.find(name: debt, ofCustomer: customer.id)
    else { return false }
    guard !row.debt.isForgiven else { return true }
    var kept = try open(unit, of: customer.id, withWriteOffs: true)
    kept.book.forgive(row.debt.cause)
    _ = try close(kept, Cause(factID: nil, now: now))
    try debts.note(note, on: row.id)
    return true
  }

  private func balance(
    _ unit: String, of customerID: Int64,
    _ own: [(unit: String, productId: String, lot: CreditLot)]
  ) throws(StoreError) -> CreditBalance {
    let rows = try debts.standing(ofCustomer: customerID, unit)
    return CreditBalance(
      unit: unit, book: CreditBook(lots: own.map(\.lot), debts: rows.map(\.debt)),
      lots: own.map { CreditBalance.Lot(productId: $0.productId, lot: $0.lot) },
      debts: rows.map { row in
        var transactionId: String?
        if case .refund(_, let key) = row.debt.cause { transactionId = key.transactionId }
        return CreditBalance.Debt(
          id: row.name, openedAt: row.openedAt, debt: row.debt, transactionId: transactionId)
      })
  }
}

extension JSONWriter {
  /// The balances of a customer, lot by lot.
  package mutating func balances(_ all: CustomerBalances) {
    object { writer in
      writer.member("customer", all.customer.id.text)
      writer.member("app", all.customer.scope.bundleId)
      writer.member("environment", all.customer.scope.environment.rawValue)
      writer.member("realm", all.customer.scope.realm.description)
      writer.member("version", all.version)
      writer.member("asOfMs", all.asOf.millisecondsSince1970)
      writer.name("balances")
      writer.array { writer in for balance in all.balances { writer.balance(balance) } }
    }
  }

  private mutating func balance(_ balance: CreditBalance) {
    object { writer in
      writer.member("unit", balance.unit)
      writer.figures(of: balance.book)
      writer.name("lots")
      writer.array { writer in for lot in balance.lots { writer.lot(lot) } }
      writer.name("debts")
      writer.array { writer in for debt in balance.debts { writer.debt(debt) } }
    }
  }

  private mutating func lot(_ lot: CreditBalance.Lot) {
    object { writer in
      writer.member("transactionId", lot.lot.transactionId)
      writer.member("productId", lot.productId)
      writer.member("purchasedAtMs", lot.lot.purchaseDate.millisecondsSince1970)
      writer.member("filled", lot.lot.filled)
      writer.member("takenBack", lot.lot.taken)
      writer.member("held", lot.lot.held)
      writer.member("spent", lot.lot.spent)
      writer.member("paidToDebts", lot.lot.paid)
      writer.member("available", lot.lot.available)
      writer.member("revokedAtMs", lot.lot.takenBack?.key.revocationDate.millisecondsSince1970)
    }
  }

  private mutating func debt(_ debt: CreditBalance.Debt) {
    object { writer in
      writer.member("id", debt.id)
      writer.member("treatment", debt.debt.treatment.rawValue)
      writer.member("credits", debt.debt.credits)
      writer.member("paid", debt.debt.paid)
      writer.member("open", debt.debt.open)
      writer.member("forgiven", debt.debt.isForgiven)
      switch debt.debt.cause {
      case .refund(_, let key):
        writer.member("transactionId", debt.transactionId)
        writer.member("revokedAtMs", key.revocationDate.millisecondsSince1970)
      case .spend(let name): writer.member("spend", name)
      }
      writer.member("openedAtMs", debt.openedAt.millisecondsSince1970)
    }
  }
}
