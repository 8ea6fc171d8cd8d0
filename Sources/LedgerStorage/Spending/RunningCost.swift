package import AppStoreModel
package import EntitlementLedger

/// A cost that recurs for as long as a purchase is served, such as storage.
package struct RunningCost: Hashable, Sendable {
  /// What becomes of it when its purchase is revoked.
  package enum OnRevocation: String, Hashable, Sendable, CaseIterable {
    /// It ends: what it paid for is taken away by whoever hears of it.
    case stop
    /// It goes on, every period of it as late spend, until somebody ends it.
    case flag
  }

  package enum State: String, Hashable, Sendable, CaseIterable {
    case running
    /// It runs although its purchase was revoked.
    case flagged
    /// A revocation ended it.
    case stopped
    /// The backend ended it.
    case ended
  }

  /// What makes it recur, and on whose account.
  package struct Terms: Hashable, Sendable {
    package let customer: CustomerKey
    /// The backend's own word for it, once for a customer.
    package let name: String
    package let basis: Basis
    /// Of each whole period.
    package let measure: SpendMeasure
    /// Of each whole period.
    package let cost: Cost
    package let period: TimeSpan
    package let onRevocation: OnRevocation

    package init(
      customer: CustomerKey, name: String, basis: Basis, measure: SpendMeasure, cost: Cost,
      period: TimeSpan, onRevocation: OnRevocation
    ) {
      self.customer = customer
      self.name = name
      self.basis = basis
      self.measure = measure
      self.cost = cost
      self.period = period
      self.onRevocation = onRevocation
    }
  }

  /// What pays for it.
  package enum Basis: Hashable, Sendable {
    /// Each period is charged to the purchase that the entitlement rests on when it begins.
    case entitlement(String)
    /// One chain, whatever it grants.
    case purchase(originalTransactionId: String)
  }

  package let terms: Terms
  package let state: State
  package let begunAt: Timestamp
  package let accruedUntil: Timestamp
  /// When the next period is accrued; `nil` when it runs no more.
  package let dueAt: Timestamp?
  package let endedAt: Timestamp?
}

extension RunningCost.Terms {
  /// What a part of a period costs, rounded half to even to a microunit.
  ///
  /// - Parameter length: At most a period.
  /// - Returns: Exact: the product is taken at double width.
  package func cost(of length: TimeSpan) -> Cost {
    let part = UInt64(max(0, min(length.milliseconds, period.milliseconds)))
    let whole = UInt64(period.milliseconds)
    let product = cost.microunits.magnitude.multipliedFullWidth(by: part)
    var (quotient, remainder) = whole.dividingFullWidth(product)
    let isHalf = remainder == whole - remainder
    if remainder > whole - remainder || (isHalf && quotient % 2 == 1) { quotient += 1 }
    return Cost(microunits: Int64(clamping: quotient), currency: cost.currency) ?? cost
  }
}

extension RunningCost.Terms {
  /// How much is used in a part of a period, rounded down.
  ///
  /// - Parameter length: At most a period.
  /// - Returns: All of it for a whole period.
  package func measure(of length: TimeSpan) -> SpendMeasure {
    let part = UInt64(max(0, min(length.milliseconds, period.milliseconds)))
    let product = measure.units.magnitude.multipliedFullWidth(by: part)
    let units = UInt64(period.milliseconds).dividingFullWidth(product).quotient
    return SpendMeasure(kind: measure.kind, unit: measure.unit, units: Int64(clamping: units))
  }
}

/// What stating a running cost came to.
package enum RunningCostOutcome: Hashable, Sendable {
  case running(RunningCost)
  /// Nothing is known of the purchase, or it is another customer's.
  case unknownPurchase
  /// It runs already, on other terms.
  case conflict
  case unitMismatch(known: String)
}
