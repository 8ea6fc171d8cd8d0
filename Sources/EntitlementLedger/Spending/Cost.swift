public import AppStoreModel

/// What something cost us, finer than prices are: a model call costs less than a thousandth.
///
/// Unit: microunits, a millionth of the currency's main unit: `1_500` USD is 0.0015 dollars.
/// Range: `0...` ``Cost/greatest``, so that sums of millions of them stay within 64 bits.
public struct Cost: Hashable, Sendable {
  /// A thousand million main units.
  public static let greatest: Int64 = 1_000_000_000_000_000

  public let microunits: Int64
  public let currency: Currency

  /// Takes an exact amount; `nil` outside the range.
  public init?(microunits: Int64, currency: Currency) {
    guard (0...Cost.greatest).contains(microunits) else { return nil }
    self.init(unchecked: microunits, currency)
  }

  /// Takes an amount of milliunits; `nil` outside the range.
  public init?(_ money: Money) {
    let (microunits, isTooMuch) = money.milliunits.multipliedReportingOverflow(by: 1_000)
    if isTooMuch { return nil }
    self.init(microunits: microunits, currency: money.currency)
  }

  init(unchecked microunits: Int64, _ currency: Currency) {
    self.microunits = microunits
    self.currency = currency
  }
}

extension Cost {
  /// The cost in the coarser unit of prices; `nil` where it is no whole number of milliunits.
  public var money: Money? {
    guard microunits % 1_000 == 0 else { return nil }
    return Money(milliunits: microunits / 1_000, currency: currency)
  }

  /// The cost split in proportion to `weights`, without a rest: what rounding down leaves goes to
  /// the first.
  ///
  /// - Parameter weights: Not negative. All zero gives everything to the first.
  /// - Returns: One part for each weight, in their order.
  public func split(by weights: [Int64]) -> [Cost] {
    let total = weights.reduce(UInt64(0)) { $0 + $1.magnitude }
    guard total > 0 else {
      return weights.indices.map { Cost(unchecked: $0 == 0 ? microunits : 0, currency) }
    }
    var parts = weights.map { weight in
      Int64(
        clamping: total.dividingFullWidth(
          microunits.magnitude.multipliedFullWidth(by: weight.magnitude)
        ).quotient)
    }
    parts[0] += microunits - parts.reduce(0, +)
    return parts.map { Cost(unchecked: $0, currency) }
  }
}
