public import AppStoreModel

/// Refunds and what is none, counted apart: by period, product and currency.
public struct MoneyReport: Hashable, Sendable {
  /// Where a line belongs; lines stand in this order.
  public struct Key: Hashable, Comparable, Sendable {
    public let periodStart: Timestamp
    public let productId: String
    /// The code; empty where no price is known.
    public let currency: String

    public init(periodStart: Timestamp, productId: String, currency: String) {
      self.periodStart = periodStart
      self.productId = productId
      self.currency = currency
    }

    public static func < (left: Key, right: Key) -> Bool {
      (left.periodStart, left.productId, left.currency)
        < (right.periodStart, right.productId, right.currency)
    }
  }

  /// How many movements of a kind there were, and what they add up to.
  public struct Sum: Hashable, Sendable {
    public private(set) var count: Int64 = 0
    /// Those of which nobody said how much: counted, and not in the amount.
    public private(set) var unpriced: Int64 = 0
    public private(set) var milliunits: Int64 = 0

    public init() {}

    mutating func add(_ movement: MoneyMovement) {
      count += 1
      guard let amount = movement.amount else {
        unpriced += 1
        return
      }
      milliunits = milliunits.saturatingSum(amount.milliunits)
    }
  }

  public struct Line: Hashable, Sendable {
    public let key: Key
    private var sums: [MoneyMovement.Kind: Sum] = [:]

    init(key: Key) { self.key = key }

    public subscript(kind: MoneyMovement.Kind) -> Sum { sums[kind] ?? Sum() }

    /// What went back in the period less what came back in it.
    public var netMilliunits: Int64 {
      let out = [MoneyMovement.Kind.fullRefund, .proratedRefund, .itemRefund].reduce(Int64(0)) {
        $0.saturatingSum(self[$1].milliunits)
      }
      let back = self[.reversal].milliunits
      return out.saturatingSum(back == .min ? .max : -back)
    }

    mutating func add(_ movement: MoneyMovement) {
      sums[movement.kind, default: Sum()].add(movement)
    }
  }

  public let period: ReportPeriod
  private var byKey: [Key: Line] = [:]

  public init(by period: ReportPeriod) {
    self.period = period
  }

  public init(by period: ReportPeriod, _ movements: some Sequence<MoneyMovement>) {
    self.init(by: period)
    for movement in movements { add(movement) }
  }

  public mutating func add(_ movement: MoneyMovement) {
    let key = Key(
      periodStart: period.start(of: movement.at), productId: movement.productId,
      currency: movement.currency?.code ?? "")
    byKey[key, default: Line(key: key)].add(movement)
  }

  /// By period, product and currency.
  public var lines: [Line] { byKey.values.sorted { $0.key < $1.key } }
}
