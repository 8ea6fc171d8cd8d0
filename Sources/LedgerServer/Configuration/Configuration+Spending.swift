public import AppStoreModel
import JSON5
import LedgerStorage

extension Configuration {
  /// How the spend gate holds, limits, and answers when it cannot look.
  public struct Spending: Hashable, Sendable {
    /// What the gate says while the store can keep nothing.
    public enum Unreachable: String, Hashable, Sendable, CaseIterable {
      case deny
      /// Up to a budget; what is already known to be denied stays denied.
      case allow
    }

    /// How long a hold stays unless its request says otherwise.
    public var holdLength = TimeSpan.minutes(10)
    /// How long a request may ask for.
    public var greatestHoldLength = TimeSpan.days(1)
    /// How many holds of one customer may be open at once.
    public var openHoldsPerCustomer = 1_000
    public var whenStoreUnreachable = Unreachable.deny
    /// How long the gate waits for the store before it counts as unreachable.
    public var storeTimeout = TimeSpan.seconds(2)
    /// What may be allowed in one outage, in each currency.
    ///
    /// Unit: microunits of that currency.
    public var degradedBudget: Int64 = 0
    /// What may be spent and held on sandbox purchases of one app, in each currency.
    ///
    /// Unit: microunits of that currency.
    public var sandboxBudget: Int64 = 100_000_000
    /// How far back spend counts against it.
    public var sandboxPeriod = TimeSpan.days(1)
    /// How long after its purchase a payout waits.
    public var refundRisk = TimeSpan.days(90)

    public init() {}
  }
}

extension Configuration.Spending {
  init(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: [
      "holdSeconds", "greatestHoldSeconds", "openHoldsPerCustomer", "whenStoreUnreachable",
      "degradedBudgetMilliunits", "sandboxBudgetMilliunits", "sandboxBudgetHours",
      "refundRiskDays", "storeTimeoutMs",
    ])
    let month: Int64 = 31 * 86_400
    greatestHoldLength =
      try file.integer("greatestHoldSeconds", in: 1...month)
      .map { .seconds($0) } ?? greatestHoldLength
    holdLength = try file.integer("holdSeconds", in: 1...month).map { .seconds($0) } ?? holdLength
    guard holdLength <= greatestHoldLength else {
      throw file.refusal("holdSeconds", "is more than greatestHoldSeconds")
    }
    openHoldsPerCustomer =
      try file.integer("openHoldsPerCustomer", in: 1...1_000_000)
      .map { Int($0) } ?? openHoldsPerCustomer
    try readBudgets(file)
    storeTimeout =
      try file.integer("storeTimeoutMs", in: 10...60_000)
      .map { TimeSpan(milliseconds: $0) } ?? storeTimeout
    refundRisk = try file.integer("refundRiskDays", in: 0...3_650).map { .days($0) } ?? refundRisk
  }

  private mutating func readBudgets(_ file: JSON5Object) throws(JSON5Error) {
    let amounts: ClosedRange<Int64> = 0...1_000_000_000_000
    if let word = try file.string("whenStoreUnreachable") {
      guard let answer = Unreachable(rawValue: word) else {
        throw file.refusal("whenStoreUnreachable", "expected allow or deny, found \"\(word)\"")
      }
      whenStoreUnreachable = answer
    }
    degradedBudget =
      try file.integer("degradedBudgetMilliunits", in: amounts)
      .map { $0 * 1_000 } ?? degradedBudget
    guard whenStoreUnreachable == .deny || degradedBudget > 0 else {
      throw file.refusal("degradedBudgetMilliunits", "is missing: allow needs a budget")
    }
    sandboxBudget =
      try file.integer("sandboxBudgetMilliunits", in: amounts)
      .map { $0 * 1_000 } ?? sandboxBudget
    sandboxPeriod =
      try file.integer("sandboxBudgetHours", in: 1...8_784)
      .map { .hours($0) } ?? sandboxPeriod
  }

  var limits: SpendLimits {
    SpendLimits(
      openHolds: openHoldsPerCustomer, sandboxBudget: sandboxBudget, budgetPeriod: sandboxPeriod)
  }
}
