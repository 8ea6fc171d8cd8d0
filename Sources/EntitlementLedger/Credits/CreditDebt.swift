/// Credits that were spent and are gone: by a refund of their purchase, or beyond the balance.
public struct CreditDebt: Hashable, Sendable {
  /// What it is tied to; there is one debt at a time for each.
  public enum Cause: Hashable, Sendable {
    case refund(lot: CreditLot.ID, RevocationKey)
    /// More was spent than there was, by the spend of this name.
    case spend(String)
  }

  /// What one lot paid of it.
  public struct Payment: Hashable, Sendable {
    public let lot: CreditLot.ID
    public internal(set) var credits: Int64

    public init(lot: CreditLot.ID, credits: Int64) {
      self.lot = lot
      self.credits = credits
    }
  }

  public let cause: Cause
  public let treatment: PolicyEntry.SpentCredits
  public let credits: Int64
  public internal(set) var payments: [Payment]
  /// Whether the operator let it go.
  public internal(set) var isForgiven: Bool

  public init(
    cause: Cause, treatment: PolicyEntry.SpentCredits, credits: Int64, payments: [Payment] = [],
    isForgiven: Bool = false
  ) {
    self.cause = cause
    self.treatment = treatment
    self.credits = credits
    self.payments = payments
    self.isForgiven = isForgiven
  }

  public var paid: Int64 { payments.reduce(0) { $0 + $1.credits } }

  /// What is still to be paid.
  public var open: Int64 { treatment == .debt && !isForgiven ? credits - paid : 0 }

  public var freezes: Bool { treatment == .freeze && !isForgiven }
}
