public import AppStoreModel

/// Everything that the ledger acts on.
public enum LedgerFact: Hashable, Sendable {
  case notification(NotificationFact)
  case transaction(TransactionFact)
  case renewal(RenewalFact)
  case status(ReportedStatus)
  case own(OwnFact)
}

extension LedgerFact {
  /// Reads a notification with what was signed inside it.
  ///
  /// - Throws: ``UnusableFact`` when it is about no purchase or its parts do not fit together.
  public static func from(
    _ notification: Verified<ResponseBodyV2DecodedPayload>,
    transaction: Verified<JWSTransactionDecodedPayload>?,
    renewal: Verified<JWSRenewalInfoDecodedPayload>?, channel: Channel
  ) throws(UnusableFact) -> LedgerFact {
    .notification(
      try NotificationFact(
        notification, transaction: transaction, renewal: renewal, channel: channel))
  }

  /// Reads a signed transaction that came alone.
  ///
  /// - Throws: ``UnusableFact`` when a member is missing that a decision needs.
  public static func from(
    _ transaction: Verified<JWSTransactionDecodedPayload>, channel: Channel
  ) throws(UnusableFact) -> LedgerFact {
    .transaction(try TransactionFact(transaction, channel: channel))
  }

  /// Reads signed renewal information that came alone.
  ///
  /// - Throws: ``UnusableFact`` when a member is missing that a decision needs.
  public static func from(
    _ renewal: Verified<JWSRenewalInfoDecodedPayload>, bundleId: String, channel: Channel
  ) throws(UnusableFact) -> LedgerFact {
    .renewal(try RenewalFact(renewal, bundleId: bundleId, channel: channel))
  }

  public var scope: Scope {
    switch self {
    case .notification(let fact): fact.scope
    case .transaction(let fact): fact.scope
    case .renewal(let fact): fact.scope
    case .status(let fact): fact.scope
    case .own(let fact): fact.scope
    }
  }

  /// The latest date that was signed in it; for a fact of our own, when it was recorded.
  ///
  /// A question about the past uses the facts whose date is not after the moment asked about.
  public var date: Timestamp {
    switch self {
    case .notification(let fact): fact.outerDate
    case .transaction(let fact): fact.transaction.signedDate
    case .renewal(let fact): fact.renewal.signedDate
    case .status(let fact): fact.date
    case .own(let fact): fact.recordedAt
    }
  }

  public var transaction: TransactionCopy? {
    switch self {
    case .notification(let fact): fact.transaction
    case .transaction(let fact): fact.transaction
    case .status(let fact): fact.transaction
    case .renewal, .own: nil
    }
  }

  public var renewal: RenewalCopy? {
    switch self {
    case .notification(let fact): fact.renewal
    case .renewal(let fact): fact.renewal
    case .status(let fact): fact.renewal
    case .transaction, .own: nil
    }
  }

  /// The chains whose state it may change: its own, then one that it names as its predecessor.
  public var chains: [ChainKey] {
    let original = transaction?.originalTransactionId ?? renewal?.originalTransactionId
    return [original, transaction?.previousOriginalTransactionId].compactMap { $0 }
      .map { ChainKey(scope: scope, originalTransactionId: $0) }
  }
}
