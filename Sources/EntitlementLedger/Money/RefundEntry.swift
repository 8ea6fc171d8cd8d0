public import AppStoreModel

/// What the books say of one refund: signalled amounts, not accounting.
public struct RefundEntry: Hashable, Sendable {
  /// The revocation; for an item's refund that left access alone, the date of the first one.
  public let key: RevocationKey
  public let productId: String
  /// `nil` for an item's refund that left access alone.
  public let revocationClass: RevocationClass?
  public let share: RevokedShare?
  /// Whether it was not undone, and no later revocation of the transaction took its place.
  public let stands: Bool
  /// What went back and stayed back: zero for one that was undone; `nil` where no price is known.
  public let netRefund: Money?

  /// Whether money went back and nothing says how much: counted apart, never as zero.
  public var isUnpriced: Bool { stands && netRefund == nil }
}
