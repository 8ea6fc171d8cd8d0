import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Records the whole periods of a running cost that are over by a moment; each counts as spent when
  /// it began.
  ///
  /// Periods that follow each other and are charged alike are one record, so that a long absence takes
  /// as many steps as something changed in it, and days in the last week.
  ///
  /// - Returns: Up to where all is recorded.
  func recordPeriods(
    of row: RunningCostTable.Row, by end: Timestamp, _ now: Timestamp
  ) throws(StoreError) -> Timestamp {
    let (terms, period) = (row.cost.terms, row.cost.terms.period.milliseconds)
    var begin = row.cost.accruedUntil
    var owed = begin.count(of: terms.period, until: end)
    guard owed > 0 else { return begin }
    let payer = try payer(of: row)
    while owed > 0 {
      let charge = try payer.charge(at: begin)
      let alike = begin.begun(
        each: terms.period, before: min(charge.holdsUntil ?? end, begin.endOfPage(at: now)))
      let count = max(1, min(owed, alike, terms.greatestCount))
      try record(
        row, terms.measure.times(count), terms.cost.times(count), charge, at: begin, now,
        periods: count)
      begin = begin.adding(TimeSpan(milliseconds: count * period))
      owed -= count
    }
    return begin
  }

  func record(
    _ row: RunningCostTable.Row, _ measure: SpendMeasure, _ cost: Cost,
    _ payment: PeriodPayer.Charge,
    at moment: Timestamp, _ now: Timestamp, periods: Int64 = 1
  ) throws(StoreError) {
    var charge = SpendTable.Charge(
      chainID: payment.chainID, transactionId: payment.transactionId, cost: cost,
      lateness: payment.lateness)
    if row.cost.state == .flagged { charge.lateness = .ignored }
    var entitlement: String?
    if case .entitlement(let name) = row.cost.terms.basis { entitlement = name }
    _ = try spends.insert(
      SpendTable.Draft(
        name: try spends.nextName(realm), customerID: row.customerID, scopeID: row.scopeID,
        runningCostID: row.id,
        purpose: SpendPurpose(entitlement: entitlement, measure: measure, cost: cost),
        charges: [charge], periods: periods, period: periods > 1 ? row.cost.terms.period : nil,
        spentAt: moment, recordedAt: now))
  }

  func payer(of row: RunningCostTable.Row) throws(StoreError) -> PeriodPayer {
    var payer = PeriodPayer(recorder: self, basis: row.cost.terms.basis)
    switch row.cost.terms.basis {
    case .entitlement:
      let customer = try customers.find(id: row.customerID)
      payer.chains = try chains.all(ofCustomer: row.customerID, in: customer.key.scope)
      payer.grants = try grants.all(of: customer).map(\.grant)
    case .purchase:
      if let id = row.chainID, let stored = try chains.find(id: id) { payer.chains = [stored] }
    }
    return payer
  }
}

extension RunningCost.Terms {
  /// How many periods one record can hold.
  fileprivate var greatestCount: Int64 {
    let byCost = cost.microunits > 0 ? Cost.greatest / cost.microunits : .max
    let byUnits = measure.units > 0 ? (1 << 53) / measure.units : .max
    return max(1, min(byCost, byUnits))
  }
}

extension Cost {
  fileprivate func times(_ count: Int64) -> Cost {
    Cost(microunits: microunits * count, currency: currency) ?? self
  }
}

extension SpendMeasure {
  fileprivate func times(_ count: Int64) -> SpendMeasure {
    SpendMeasure(kind: kind, unit: unit, units: units * count)
  }
}

extension Timestamp {
  /// How many whole spans there are from here to a moment.
  fileprivate func count(of span: TimeSpan, until end: Timestamp) -> Int64 {
    max(0, end.millisecondsSince1970 - millisecondsSince1970) / span.milliseconds
  }

  /// How many of the spans that follow each other from here on begin before a moment.
  fileprivate func begun(each span: TimeSpan, before end: Timestamp) -> Int64 {
    let length = max(0, end.millisecondsSince1970 - millisecondsSince1970)
    return length / span.milliseconds + (length % span.milliseconds > 0 ? 1 : 0)
  }

  /// The end of its day in the last week, so that sums of a day stay sums of a day; before that, the
  /// beginning of that week.
  fileprivate func endOfPage(at now: Timestamp) -> Timestamp {
    let week = now.subtracting(.days(7))
    if self < week { return week }
    let day: Int64 = 86_400_000
    return Timestamp(millisecondsSince1970: (millisecondsSince1970 / day + 1) * day)
  }
}
