import AppStoreModel

/// The balance of one customer in one unit: lots, debts, and the rules by which they move.
///
/// No credit is made or lost: what every lot was filled with is taken back, held, spent, paid to a
/// debt or available, and the balance is what is available or held, less what is owed.
public struct CreditBook: Hashable, Sendable {
  /// In the order of drawing.
  public private(set) var lots: [CreditLot]
  /// Everything that was not undone, in the order of opening.
  public private(set) var debts: [CreditDebt]
  /// What was done to the book since it was opened, in order.
  public private(set) var entries: [CreditEntry] = []

  /// Opens a book as it was kept.
  public init(lots: [CreditLot] = [], debts: [CreditDebt] = []) {
    self.lots = lots.sorted(by: CreditLot.precedes)
    self.debts = debts
  }

  /// Negative while more is owed than is there.
  public var balance: Int64 { available.saturatingSum(held.saturatingSum(-owed)) }

  /// What may be held or spent now.
  public var available: Int64 { lots.reduce(0) { $0.saturatingSum($1.available) } }
  public var held: Int64 { lots.reduce(0) { $0.saturatingSum($1.held) } }
  public var owed: Int64 { debts.reduce(0) { $0.saturatingSum($1.open) } }
  public var isFrozen: Bool { debts.contains(where: \.freezes) }

  public func lot(_ id: CreditLot.ID) -> CreditLot? { lots.first { $0.id == id } }

  mutating func change(_ id: CreditLot.ID, _ body: (inout CreditLot) -> Void) {
    guard let place = lots.firstIndex(where: { $0.id == id }) else {
      preconditionFailure("A book knows the lots that its debts and draws name.")
    }
    body(&lots[place])
  }

  mutating func change(_ cause: CreditDebt.Cause, _ body: (inout CreditDebt) -> Void) {
    guard let place = debts.firstIndex(where: { $0.cause == cause }) else {
      preconditionFailure("A book knows the debts that it changes.")
    }
    body(&debts[place])
  }

  mutating func insert(_ lot: CreditLot) {
    lots.append(lot)
    lots.sort(by: CreditLot.precedes)
  }

  mutating func remove(_ id: CreditLot.ID) { lots.removeAll { $0.id == id } }

  mutating func append(_ debt: CreditDebt) { debts.append(debt) }

  mutating func remove(_ cause: CreditDebt.Cause) { debts.removeAll { $0.cause == cause } }

  mutating func note(
    _ kind: CreditEntry.Kind, _ credits: Int64, change: Int64, lot: CreditLot.ID? = nil,
    debt: CreditDebt.Cause? = nil, spend: String? = nil
  ) {
    guard credits > 0 else { return }
    entries.append(
      CreditEntry(
        kind: kind, credits: credits, balanceChange: change, lot: lot, debt: debt, spend: spend))
  }
}
