/// Units of a balance that consumables fill.
public struct Credits: Hashable, Sendable {
  /// More than any purchase puts in, so that sums of thousands of lots stay within 64 bits.
  public static let greatest: Int64 = 1_000_000_000_000_000

  /// Whose: a word of the catalog's, such as `coins`.
  public let unit: String
  /// Range: from 0 on.
  public let amount: Int64

  public init(unit: String, amount: Int64) {
    precondition(amount >= 0, "An amount of credits is not negative.")
    self.unit = unit
    self.amount = amount
  }
}
