public import AppStoreModel

/// An exact amount that was spent.
///
/// Unit: microunits, a millionth of the currency's main unit.
public struct SpentAmount: Hashable, Sendable {
  public let microunits: Int64
  public let currency: Currency

  public init(microunits: Int64, currency: Currency) {
    self.microunits = microunits
    self.currency = currency
  }
}

/// Sums of what was spent, each currency for itself.
public struct SpentAmounts: Hashable, Sendable {
  private var sums: [String: Int64] = [:]

  public init() {}

  /// Adds an amount; a sum stays at the end of its range instead of overflowing.
  public mutating func add(_ amount: SpentAmount) {
    let code = amount.currency.code
    sums[code] = sums[code, default: 0].saturatingSum(amount.microunits)
  }

  /// By the currencies' codes; one that sums up to nothing is left out.
  public var amounts: [SpentAmount] {
    sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }
      .map { SpentAmount(microunits: $0.value, currency: Currency(code: $0.key)) }
  }

  public var isEmpty: Bool { amounts.isEmpty }

  public subscript(currency: Currency) -> Int64 { sums[currency.code] ?? 0 }
}
