import AppStoreModel

extension ChainReading {
  /// The earliest later moment at which the products differ.
  func nextChange(
    after now: Timestamp, from outcomes: [Outcome], _ products: [ProductAnswer]
  ) -> Timestamp? {
    turningPoints(after: now).first { moment in
      let later = self.outcomes(at: moment)
      // Most often nothing differs, and the products need not be put together.
      return later != outcomes && self.products(later) != products
    }
  }

  /// Every later moment at which any part of the rule may turn, in order.
  private func turningPoints(after now: Timestamp) -> [Timestamp] {
    var moments: [Timestamp] = []
    for index in purchases.indices { addTurningPoints(of: index, to: &moments) }
    if let newest {
      add(graceEnd(of: newest), to: &moments)
      add(leewayEnd(of: newest), to: &moments)
    }
    add(status?.entry.renewal?.renewalDate, to: &moments)
    add(chain.succeededAt, to: &moments)
    return moments.filter { $0 > now }.sorted()
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
