public import AppStoreModel

/// State 1 to 4 of one chain: everything Apple told us about one `originalTransactionId`.
///
/// Every member is a maximum by a clock or a set that only grows, so joining the same facts in any
/// order, any number of times, gives the same chain.
public struct Chain: Hashable, Sendable {
  public let key: ChainKey
  /// By transactionId.
  public package(set) var transactions: [String: TransactionState]
  /// The copy with the greatest own `signedDate`.
  public package(set) var renewal: RenewalCopy?
  /// Whether another copy of the renewal was signed at the same moment: Apple is to be asked.
  public package(set) var renewalIsContested = false
  /// By ``StatusEntry/id``.
  public package(set) var statuses: [String: StatusEntry]
  public package(set) var revocations: [RevocationKey: Revocation]
  /// By transactionId, then by the `notificationUUID` of a REFUND_REVERSED: its earliest outer date.
  public package(set) var reversals: [String: [String: Timestamp]]
  /// REFUND or REVOKE whose own copy showed no date: by transactionId, the notification's UUID and
  /// its earliest outer date.
  public package(set) var undatedRevocations: [String: [String: Timestamp]]
  /// The earliest purchase that names this chain as `previousOriginalTransactionId`.
  public package(set) var succeededAt: Timestamp?

  public init(key: ChainKey) {
    self.key = key
    transactions = [:]
    statuses = [:]
    revocations = [:]
    reversals = [:]
    undatedRevocations = [:]
  }
}

/// State 1: what the copies of one transaction add up to.
public struct TransactionState: Hashable, Sendable {
  /// The copy with the greatest own `signedDate`.
  public package(set) var newest: TransactionCopy
  /// The least own `signedDate` of any copy.
  public package(set) var firstSigned: Timestamp
  /// The newest copy that Apple's API gave us.
  public package(set) var newestFromAPI: TransactionCopy?
  /// The newest copy without a revocation that Apple's API gave us.
  public package(set) var newestCleanFromAPI: TransactionCopy?
  /// Whether another copy was signed at the same moment as the newest: Apple is to be asked.
  public package(set) var isContested: Bool

  package init(
    newest: TransactionCopy, firstSigned: Timestamp, newestFromAPI: TransactionCopy?,
    newestCleanFromAPI: TransactionCopy?, isContested: Bool
  ) {
    self.newest = newest
    self.firstSigned = firstSigned
    self.newestFromAPI = newestFromAPI
    self.newestCleanFromAPI = newestCleanFromAPI
    self.isContested = isContested
  }
}

/// State 3: one statement of Apple's about the whole subscription.
public struct StatusEntry: Hashable, Sendable {
  /// Who stated it.
  public enum Source: String, Hashable, Sendable {
    case notification, api, kit
  }

  /// The `notificationUUID`, or `reported:` and a hash of what was reported.
  public let id: String
  public let source: Source
  public let status: SubscriptionStatus
  /// The outer date, or the later of the two inner dates; before the allowance for a lagging API.
  public let date: Timestamp
  /// The transaction beside it.
  public let transactionId: String?
  /// The `revocationDate` that the copy beside it showed.
  public let revocationDate: Timestamp?
  public let renewal: RenewalCopy?

  package init(
    id: String, source: Source, status: SubscriptionStatus, date: Timestamp,
    transactionId: String?, revocationDate: Timestamp?, renewal: RenewalCopy?
  ) {
    self.id = id
    self.source = source
    self.status = status
    self.date = date
    self.transactionId = transactionId
    self.revocationDate = revocationDate
    self.renewal = renewal
  }
}

/// Names one revocation: a transaction can be revoked, reversed and revoked again.
public struct RevocationKey: Hashable, Sendable {
  public let transactionId: String
  public let revocationDate: Timestamp

  public init(transactionId: String, revocationDate: Timestamp) {
    self.transactionId = transactionId
    self.revocationDate = revocationDate
  }
}

/// State 4: access of one transaction ended at one date.
public struct Revocation: Hashable, Sendable {
  public let key: RevocationKey
  public package(set) var refundSeen: Bool
  public package(set) var revokeSeen: Bool
  /// The earliest own `signedDate` of any copy that showed it.
  public package(set) var firstShown: Timestamp
  /// The greatest own `signedDate` of a copy from Apple's API that showed it.
  public package(set) var lastShownByAPI: Timestamp?
  /// The newest copy that showed it: type, reason, share, price and ownership are read from it.
  public package(set) var newestShowing: TransactionCopy

  package init(
    key: RevocationKey, refundSeen: Bool, revokeSeen: Bool, firstShown: Timestamp,
    lastShownByAPI: Timestamp?, newestShowing: TransactionCopy
  ) {
    self.key = key
    self.refundSeen = refundSeen
    self.revokeSeen = revokeSeen
    self.firstShown = firstShown
    self.lastShownByAPI = lastShownByAPI
    self.newestShowing = newestShowing
  }
}
