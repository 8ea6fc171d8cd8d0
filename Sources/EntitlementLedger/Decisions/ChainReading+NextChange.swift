import AppStoreModel

extension ChainReading {
  /// The earliest of the later turning points at which the products differ.
  func nextChange(
    of outcomes: [Outcome], _ products: [ProductAnswer], among later: ArraySlice<Timestamp>
  ) -> Timestamp? {
    later.first { moment in
      let later = self.outcomes(at: moment)
      // Most often nothing differs, and the products need not be put together.
      return later != outcomes && self.products(later) != products
    }
  }

  /// Every moment at which any part of the rule may turn, in order; none of what is silent for ever.
  var turningPoints: [Timestamp] {
    if status == nil, purchases.allSatisfy({ $0.kind == .consumable }) { return [] }
    var moments: [Timestamp] = []
    for index in purchases.indices { addTurningPoints(of: index, to: &moments) }
    if let newest {
      add(graceEnd(of: newest), to: &moments)
      add(leewayEnd(of: newest), to: &moments)
    }
    add(status?.entry.renewal?.renewalDate, to: &moments)
    add(chain.succeededAt, to: &moments)
    return moments.sorted()
  }

  private func addTurningPoints(of index: Int, to moments: inout [Timestamp]) {
    let purchase = purchases[index]
    moments.append(purchase.made)
    moments.append(purchase.purchaseDate)
    add(purchase.expiresDate, to: &moments)
    if case .term(let length?) = purchase.kind {
      moments.append(purchase.purchaseDate.adding(length))
    }
  }

  private func add(_ moment: Timestamp?, to moments: inout [Timestamp]) {
    if let moment { moments.append(moment) }
  }
}
