import AppStoreModel
import EntitlementLedger

extension Recorder {
  var lots: LotTable { LotTable(session: session) }
  var debts: DebtTable { DebtTable(session: session) }

  /// Opens the book of one balance; the lots of `chainID` are in it even if nothing is left of them.
  ///
  /// What was spent beyond the balance and written off is in it only if asked for: nothing changes it.
  func open(
    _ unit: String, of customerID: Int64, chainID: Int64? = nil, withWriteOffs: Bool = false
  ) throws(StoreError) -> KeptBook {
    KeptBook(
      customerID: customerID, unit: unit,
      lots: try lots.lots(ofCustomer: customerID, unit, chainID: chainID),
      debts: try withWriteOffs
        ? debts.standing(ofCustomer: customerID, unit)
        : debts.changeable(ofCustomer: customerID, unit))
  }

  /// Writes back what was done to a book, and tells of it.
  ///
  /// - Returns: The positions of the events, in order.
  func close(_ kept: KeptBook, _ cause: Cause) throws(StoreError) -> [Int64] {
    for lot in kept.book.lots where kept.before.lot(lot.id) != lot { try lots.write(lot) }
    let names = try writeDebts(kept, cause)
    for entry in kept.book.entries {
      try debts.append(
        entry, customerID: kept.customerID, kept.unit,
        debtID: entry.debt.flatMap { names[$0]?.id },
        spendID: entry.spend.flatMap { kept.spendIDs[$0] }, cause)
    }
    return kept.isNews ? try tell(kept, cause) : []
  }

  private typealias DebtNames = [CreditDebt.Cause: (id: Int64, name: String)]

  private func writeDebts(_ kept: KeptBook, _ cause: Cause) throws(StoreError) -> DebtNames {
    var names: DebtNames = [:]
    var replaced: Set<CreditDebt.Cause> = []
    let standing = Dictionary(kept.book.debts.map { ($0.cause, $0) }) { first, _ in first }
    for row in kept.debtRows {
      names[row.debt.cause] = (row.id, row.name)
      if let debt = standing[row.debt.cause], debt.credits == row.debt.credits,
        debt.treatment == row.debt.treatment
      {
        if debt != row.debt { try debts.write(debt, to: row.id, at: cause.now) }
      } else {
        // Another one may have taken its place, as when a refund's share changes.
        replaced.insert(row.debt.cause)
        try debts.undo(row.id, at: cause.now)
      }
    }
    for debt in kept.book.debts where names[debt.cause] == nil || replaced.contains(debt.cause) {
      let spendID: Int64? =
        if case .spend(let name) = debt.cause { kept.spendIDs[name] } else { nil }
      let name = try debtName(debt, kept)
      let id = try debts.insert(
        debt, name: name, customerID: kept.customerID, kept.unit, spendID: spendID, at: cause.now)
      if debt != CreditDebt(cause: debt.cause, treatment: debt.treatment, credits: debt.credits) {
        try debts.write(debt, to: id, at: cause.now)
      }
      names[debt.cause] = (id, name)
    }
    return names
  }

  private func debtName(_ debt: CreditDebt, _ kept: KeptBook) throws(StoreError) -> String {
    let text = "\(realm) \(kept.customerID) \(kept.unit) \(debt.cause) \(try debts.count())"
    return "debt_" + Fingerprint(hashing: Array(text.utf8)).hexadecimal.prefix(24)
  }

  /// Gives a customer's answers the next version.
  func nextVersion(of customerID: Int64) throws(StoreError) -> Int64 {
    let customer = try customers.find(id: customerID)
    try customers.write(version: customer.version + 1, of: customerID)
    return customer.version + 1
  }

  private func tell(_ kept: KeptBook, _ cause: Cause) throws(StoreError) -> [Int64] {
    let version = try nextVersion(of: kept.customerID)
    let scopeID = try chains.scopes.findOrMake(try customers.find(id: kept.customerID).key.scope)
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("balance")
      writer.object { writer in
        writer.member("unit", kept.unit)
        writer.figures(of: kept.book)
      }
      writer.name("changes")
      writer.array { writer in for entry in kept.book.entries { writer.change(entry, in: kept) } }
    }
    return [
      try events.append(
        type: .balanceChanged, payload: writer.bytes, customerID: kept.customerID,
        scopeID: scopeID, version: version, cause)
    ]
  }
}

extension JSONWriter {
  /// How a balance stands.
  mutating func figures(of book: CreditBook) {
    member("balance", book.balance)
    member("available", book.isFrozen ? 0 : book.available)
    member("held", book.held)
    member("owed", book.owed)
    member("frozen", book.isFrozen)
  }

  fileprivate mutating func change(_ entry: CreditEntry, in kept: KeptBook) {
    let lot = entry.lot.flatMap { id in kept.book.lot(id) ?? kept.before.lot(id) }
    object { writer in
      writer.member("kind", entry.kind.rawValue)
      writer.member("credits", entry.credits)
      writer.member("balanceChange", entry.balanceChange)
      writer.member("transactionId", lot?.transactionId)
      writer.member("spend", entry.spend)
      if case .refund(_, let key) = entry.debt {
        writer.member("revokedAtMs", key.revocationDate.millisecondsSince1970)
      }
    }
  }
}
