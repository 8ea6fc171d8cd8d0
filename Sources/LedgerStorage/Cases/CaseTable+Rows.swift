import AppStoreModel
import EntitlementLedger

extension CaseTable {
  /// A case's own row.
  struct Head {
    let position: Int64
    let scopeID: Int64
    let transactionId: String
    let originalTransactionId: String
    let productId: String
    let customer: CustomerID?
    let openedAt: Timestamp
  }

  static let heads = """
    SELECT refund_cases.id, refund_cases.scope_id, refund_cases.transaction_id,
      chains.original_transaction_id, refund_cases.product_id, customers.name,
      refund_cases.opened_at_ms
    FROM refund_cases JOIN chains ON chains.id = refund_cases.chain_id
    LEFT JOIN customers ON customers.id = chains.customer_id
    """

  static func head(_ row: any SQLRow) throws(StoreError) -> Head {
    Head(
      position: try row.requiredInteger(0), scopeID: try row.requiredInteger(1),
      transactionId: try row.requiredText(2), originalTransactionId: try row.requiredText(3),
      productId: try row.requiredText(4), customer: row.text(5).flatMap { CustomerID($0) },
      openedAt: try row.requiredTimestamp(6))
  }

  static let requestsOf = SQLStatement(
    """
    SELECT notification_uuid, reason, is_advanced_commerce, asked_at_ms, received_at_ms, progress,
      withheld_because, attempts, attempted_at_ms, answer_version, answer_body, answer_status,
      error_code, error_text
    FROM consumption_requests WHERE case_id = ?
    """)

  static func request(_ row: any SQLRow) throws(StoreError) -> ConsumptionRequest {
    let word = try row.requiredText(5)
    guard let progress = ConsumptionRequest.Progress(word: word, because: row.text(6)) else {
      throw .inconsistent(detail: "a request of unknown progress")
    }
    return ConsumptionRequest(
      notificationUUID: try row.requiredText(0),
      question: ConsumptionQuestion(
        reason: row.text(1).map { ConsumptionRequestReason(rawValue: $0) },
        isAdvancedCommerce: row.flag(2)),
      askedAt: try row.requiredTimestamp(3), receivedAt: try row.requiredTimestamp(4),
      progress: progress, attempt: try attempt(row))
  }

  private static func attempt(_ row: any SQLRow) throws(StoreError) -> AnswerAttempt? {
    guard let at = row.timestamp(8) else { return nil }
    return AnswerAttempt(
      count: Int(try row.requiredInteger(7)), at: at, version: Int(row.integer(9) ?? 2),
      body: row.text(10) ?? "", status: row.integer(11).map { Int($0) }, errorCode: row.text(12),
      errorText: row.text(13))
  }

  static let verdictsOf = SQLStatement(
    """
    SELECT kind, source, stated_at_ms FROM refund_verdicts
    WHERE scope_id = ? AND transaction_id = ?
    """)

  static func verdict(_ row: any SQLRow) throws(StoreError) -> RefundVerdict {
    guard let kind = RefundVerdict.Kind(rawValue: try row.requiredText(0)) else {
      throw .inconsistent(detail: "a verdict of unknown kind")
    }
    return RefundVerdict(
      kind, source: try row.requiredText(1), at: try row.requiredTimestamp(2))
  }
}

extension ConsumptionRequest.Progress {
  /// As it is kept, and as programs read it.
  package var word: String {
    switch self {
    case .waiting: "waiting"
    case .withheld: "withheld"
    case .answered: "answered"
    case .refused: "refused"
    case .missed: "missed"
    case .moot: "moot"
    }
  }

  init?(word: String, because: String?) {
    switch word {
    case "waiting": self = .waiting
    case "withheld":
      guard let reason = because.flatMap({ Withholding(rawValue: $0) }) else { return nil }
      self = .withheld(reason)
    case "answered": self = .answered
    case "refused": self = .refused
    case "missed": self = .missed
    case "moot": self = .moot
    default: return nil
    }
  }
}
