public import AppStoreModel

/// A change of what the books say of one refund.
public struct Posting: Hashable, Sendable {
  public let key: RevocationKey
  /// Positive when money went back to the customer, negative when that was undone.
  public let amount: Money

  public init(key: RevocationKey, amount: Money) {
    self.key = key
    self.amount = amount
  }

  /// What must be posted so that the books, which say `posted`, say `current`.
  public static func difference(
    from posted: [RefundEntry], to current: [RefundEntry]
  ) -> [Posting] {
    let keys = Set(posted.map(\.key)).union(current.map(\.key)).sorted()
    return keys.flatMap { key -> [Posting] in
      let before = posted.first { $0.key == key }?.netRefund
      let after = current.first { $0.key == key }?.netRefund
      return amounts(from: before, to: after).map { Posting(key: key, amount: $0) }
    }
  }

  private static func amounts(from before: Money?, to after: Money?) -> [Money] {
    if let before, let after, before.currency == after.currency {
      let delta = after.milliunits &- before.milliunits
      return delta == 0 ? [] : [Money(milliunits: delta, currency: after.currency)]
    }
    let undone = before.map { Money(milliunits: 0 &- $0.milliunits, currency: $0.currency) }
    return [undone, after].compactMap { $0 }.filter { $0.milliunits != 0 }
  }
}
