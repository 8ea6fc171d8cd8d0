public import AppStoreModel

/// What Apple decided on a customer's wish to have money back.
public struct RefundVerdict: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case refunded
    case declined
    case reversed
  }

  public let kind: Kind
  /// The notification that told it, or `revocation:` and the date that a copy showed.
  public let source: String
  /// When Apple stated it.
  public let at: Timestamp

  public init(_ kind: Kind, source: String, at: Timestamp) {
    self.kind = kind
    self.source = source
    self.at = at
  }

  /// What a notification tells; `nil` where it tells of no decision.
  public init?(_ notification: NotificationFact) {
    let kind: Kind? =
      switch notification.type {
      case .refund: .refunded
      case .refundDeclined: .declined
      case .refundReversed: .reversed
      default: nil
      }
    guard let kind else { return nil }
    self.init(kind, source: notification.notificationUUID, at: notification.outerDate)
  }

  /// A refund that a copy of the transaction shows, also where no notification told of it.
  public init(shownAt revocationDate: Timestamp) {
    self.init(
      .refunded, source: "revocation:\(revocationDate.millisecondsSince1970)", at: revocationDate)
  }
}
