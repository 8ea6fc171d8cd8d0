import AppStoreModel
import EntitlementLedger

/// Refund cases with their requests and Apple's verdicts.
struct CaseTable {
  let session: any SQLSession
  let scopes: ScopeTable

  func find(_ transactionId: String, inScope scopeID: Int64) throws(StoreError) -> StoredCase? {
    try session.first(Self.byTransaction, [.integer(scopeID), .text(transactionId)], Self.head)
      .map { (head) throws(StoreError) in try filled(head) }
  }

  func find(position: Int64) throws(StoreError) -> StoredCase? {
    try session.first(Self.byPosition, [.integer(position)], Self.head)
      .map { (head) throws(StoreError) in try filled(head) }
  }

  /// Cases of one app and environment in order of opening.
  func all(
    inScope scopeID: Int64, after position: Int64, limit: Int
  ) throws(StoreError) -> [StoredCase] {
    try session.rows(
      Self.page, [.integer(scopeID), .integer(position), .integer(Int64(limit))], Self.head
    ).map { (head) throws(StoreError) in try filled(head) }
  }

  func open(
    _ transaction: TransactionCopy, chainID: Int64, scopeID: Int64, at now: Timestamp
  ) throws(StoreError) -> Int64 {
    if let known = try find(transaction.transactionId, inScope: scopeID) { return known.position }
    return try session.insert(
      Self.insertCase,
      [
        .integer(scopeID), .integer(chainID), .text(transaction.transactionId),
        .text(transaction.productId), .moment(now),
      ])
  }

  /// Keeps a request; of copies with the same UUID the earliest date counts.
  func insert(
    _ request: ConsumptionRequest, into position: Int64, dueAt: Timestamp
  ) throws(StoreError) {
    try session.run(
      Self.insertRequest,
      [
        .integer(position), .text(request.notificationUUID),
        .text(request.question.reason?.rawValue), .flag(request.question.isAdvancedCommerce),
        .moment(request.askedAt), .moment(request.receivedAt), .moment(dueAt),
      ])
  }

  /// - Returns: Whether it was not known.
  @discardableResult
  func insert(
    _ verdict: RefundVerdict, on transactionId: String, inScope scopeID: Int64
  ) throws(StoreError) -> Bool {
    try session.run(
      Self.insertVerdict,
      [
        .integer(scopeID), .text(transactionId), .text(verdict.source),
        .text(verdict.kind.rawValue), .moment(verdict.at),
      ]) > 0
  }

  func write(_ update: RequestUpdate) throws(StoreError) {
    var because: String?
    if case .withheld(let reason) = update.progress { because = reason.rawValue }
    try session.run(
      Self.updateProgress,
      [
        .text(update.progress.word), .text(because), .moment(update.dueAt),
        .integer(update.position), .text(update.notificationUUID),
      ])
    guard let attempt = update.attempt else { return }
    try session.run(
      Self.updateAttempt,
      [
        .integer(Int64(attempt.count)), .moment(attempt.at), .integer(Int64(attempt.version)),
        .text(attempt.body), .integer(attempt.status.map { Int64($0) }), .text(attempt.errorCode),
        .text(attempt.errorText), .integer(update.position), .text(update.notificationUUID),
      ])
  }

  /// The requests whose turn it is: case and UUID, the longest due first.
  func due(by now: Timestamp, limit: Int) throws(StoreError) -> [(Int64, String)] {
    try session.rows(Self.dueBy, [.moment(now), .integer(Int64(limit))]) {
      (row) throws(StoreError) in (try row.requiredInteger(0), try row.requiredText(1))
    }
  }

  func nextDue() throws(StoreError) -> Timestamp? {
    try session.number(Self.firstDue, []).map { Timestamp(millisecondsSince1970: $0) }
  }

  /// Has every open request of a customer looked at again.
  func makeDue(ofCustomer customerID: Int64, at now: Timestamp) throws(StoreError) {
    try session.run(Self.customerDue, [.moment(now), .integer(customerID)])
  }

  /// Has every open request of the last hours looked at again, because the policy may be another.
  func makeAllDue(at now: Timestamp) throws(StoreError) {
    let longest = RefundCase.window(in: .production)
    try session.run(Self.allDue, [.moment(now), .moment(now.subtracting(longest))])
  }

  /// What was settled on a transaction, one sum for each currency.
  func spent(on transactionId: String, inScope scopeID: Int64) throws(StoreError) -> [Cost] {
    var sums: [String: Int64] = [:]
    let amounts = try session.rows(Self.spentOn, [.text(transactionId), .integer(scopeID)]) {
      (row) throws(StoreError) in (try row.requiredText(1), try row.requiredInteger(0))
    }
    for (currency, amount) in amounts {
      sums[currency] = sums[currency, default: 0].saturatingSum(amount)
    }
    return sums.sorted { $0.key < $1.key }.compactMap {
      Cost(microunits: min($0.value, Cost.greatest), currency: Currency(code: $0.key))
    }
  }

  private func filled(_ head: Head) throws(StoreError) -> StoredCase {
    guard let scope = try scopes.scope(head.scopeID) else {
      throw .inconsistent(detail: "a case of no scope")
    }
    let requests = try session.rows(Self.requestsOf, [.integer(head.position)], Self.request)
    let verdicts = try session.rows(
      Self.verdictsOf, [.integer(head.scopeID), .text(head.transactionId)], Self.verdict)
    return StoredCase(
      position: head.position, originalTransactionId: head.originalTransactionId,
      productId: head.productId, customer: head.customer, openedAt: head.openedAt,
      refundCase: RefundCase(
        scope: scope, transactionId: head.transactionId, requests: requests, verdicts: verdicts))
  }

  private static let byTransaction = SQLStatement(
    "\(heads) WHERE refund_cases.scope_id = ? AND refund_cases.transaction_id = ?")
  private static let byPosition = SQLStatement("\(heads) WHERE refund_cases.id = ?")
  private static let page = SQLStatement(
    "\(heads) WHERE refund_cases.scope_id = ? AND refund_cases.id > ? ORDER BY refund_cases.id LIMIT ?"
  )
  private static let insertCase = SQLStatement(
    """
    INSERT INTO refund_cases (scope_id, chain_id, transaction_id, product_id, opened_at_ms)
    VALUES (?, ?, ?, ?, ?)
    """)
  private static let insertRequest = SQLStatement(
    """
    INSERT INTO consumption_requests (case_id, notification_uuid, reason, is_advanced_commerce,
      asked_at_ms, received_at_ms, progress, due_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?)
    ON CONFLICT (case_id, notification_uuid) DO UPDATE SET
      asked_at_ms = min(consumption_requests.asked_at_ms, excluded.asked_at_ms)
    """)
  private static let insertVerdict = SQLStatement(
    """
    INSERT INTO refund_verdicts (scope_id, transaction_id, source, kind, stated_at_ms)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (scope_id, transaction_id, source) DO NOTHING
    """)
  private static let updateProgress = SQLStatement(
    """
    UPDATE consumption_requests SET progress = ?, withheld_because = ?, due_at_ms = ?
    WHERE case_id = ? AND notification_uuid = ?
    """)
  private static let updateAttempt = SQLStatement(
    """
    UPDATE consumption_requests SET attempts = ?, attempted_at_ms = ?, answer_version = ?,
      answer_body = ?, answer_status = ?, error_code = ?, error_text = ?
    WHERE case_id = ? AND notification_uuid = ?
    """)
  private static let dueBy = SQLStatement(
    """
    SELECT case_id, notification_uuid FROM consumption_requests
    WHERE due_at_ms <= ? ORDER BY due_at_ms, id LIMIT ?
    """)
  private static let firstDue = SQLStatement(
    """
    SELECT due_at_ms FROM consumption_requests WHERE due_at_ms IS NOT NULL
    ORDER BY due_at_ms LIMIT 1
    """)
  private static let customerDue = SQLStatement(
    """
    UPDATE consumption_requests SET due_at_ms = ?
    WHERE progress IN ('waiting', 'withheld') AND case_id IN (
      SELECT refund_cases.id FROM refund_cases JOIN chains ON chains.id = refund_cases.chain_id
      WHERE chains.customer_id = ?)
    """)
  private static let allDue = SQLStatement(
    """
    UPDATE consumption_requests SET due_at_ms = ?
    WHERE progress IN ('waiting', 'withheld') AND asked_at_ms > ?
    """)
  private static let spentOn = SQLStatement(
    """
    SELECT charges.cost_microunits, spends.currency
    FROM spend_charges AS charges JOIN chains ON chains.id = charges.chain_id
    JOIN spends ON spends.id = charges.spend_id
    WHERE charges.transaction_id = ? AND chains.scope_id = ?
    """)
}
