public import AppStoreModel
public import EntitlementLedger

/// One line of the books: something that happened to a purchase, and the amount Apple signalled.
///
/// Signalled amounts are not accounting: no tax, no commission, no rate of exchange.
public struct MoneyMovement: Hashable, Sendable {
  /// What happened; each is counted apart.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case fullRefund
    case proratedRefund
    /// A refund of items that left the purchase as a whole alone.
    case itemRefund
    /// Apple took a refund back, or a later one of the same purchase took its place.
    case reversal
    /// The customer asked for a refund, and Apple declined it.
    case decline
    case familyRevocation
    /// A seat of a purchase with several was taken from who used it.
    case seatRevocation
    case bundleMove
    case unclassified

    /// Whether its amount is money that moved: a refund out, a reversal back.
    public var movesMoney: Bool {
      switch self {
      case .fullRefund, .proratedRefund, .itemRefund, .reversal: true
      case .decline, .familyRevocation, .seatRevocation, .bundleMove, .unclassified: false
      }
    }
  }

  public let kind: Kind
  public let key: RevocationKey
  public let productId: String
  /// Apple's date of it.
  public let at: Timestamp
  /// What went back or came back; for a decline what was asked for; `nil` where no price is known,
  /// and where access ended without money.
  public let amount: Money?
  /// The currency that the purchase was paid in, where a price is known.
  public let currency: Currency?
  public let share: RevokedShare?

  public init(
    kind: Kind, key: RevocationKey, productId: String, at: Timestamp, amount: Money?,
    currency: Currency?, share: RevokedShare? = nil
  ) {
    self.kind = kind
    self.key = key
    self.productId = productId
    self.at = at
    self.amount = amount
    self.currency = currency
    self.share = share
  }
}

/// Apple's word that a purchase is not refunded.
public struct Decline: Hashable, Sendable {
  public let transactionId: String
  public let at: Timestamp

  public init(transactionId: String, at: Timestamp) {
    self.transactionId = transactionId
    self.at = at
  }
}
