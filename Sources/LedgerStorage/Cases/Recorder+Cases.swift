package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Writes what a fact says of a refund case: a request opens one, a decision of Apple's closes it.
  ///
  /// A decision is kept also where no request is known, since facts come in any order.
  ///
  /// - Returns: The positions of the events, in order.
  func followCase(_ fact: LedgerFact, _ cause: Cause) throws(StoreError) -> [Int64] {
    guard let transaction = fact.transaction else { return [] }
    var question: ConsumptionQuestion?
    var verdict: RefundVerdict?
    if case .notification(let notification) = fact {
      question = notification.question
      verdict = RefundVerdict(notification)
    }
    guard question != nil || verdict != nil || transaction.revocation != nil else { return [] }
    let scopeID = try chains.scopes.findOrMake(fact.scope)
    let before = try cases.find(transaction.transactionId, inScope: scopeID)
    if let verdict {
      try cases.insert(verdict, on: transaction.transactionId, inScope: scopeID)
    }
    if let question, case .notification(let notification) = fact {
      try ask(question, notification, transaction, scopeID, cause)
    } else if before == nil {
      return []
    }
    try noteRefunds(of: transaction, fact.scope, scopeID)
    return try settleCase(transaction.transactionId, scopeID, before, cause)
  }

  private func ask(
    _ question: ConsumptionQuestion, _ notification: NotificationFact,
    _ transaction: TransactionCopy, _ scopeID: Int64, _ cause: Cause
  ) throws(StoreError) {
    let key = ChainKey(
      scope: notification.scope, originalTransactionId: transaction.originalTransactionId)
    let chainID = try chains.findOrMake(key).id
    let position = try cases.open(transaction, chainID: chainID, scopeID: scopeID, at: cause.now)
    let request = ConsumptionRequest(
      notificationUUID: notification.notificationUUID, question: question,
      askedAt: notification.outerDate, receivedAt: cause.now)
    try cases.insert(request, into: position, dueAt: cause.now)
  }

  /// Refunds that the chain shows count as decisions, also where their notification was lost.
  private func noteRefunds(
    of transaction: TransactionCopy, _ scope: Scope, _ scopeID: Int64
  ) throws(StoreError) {
    let key = ChainKey(scope: scope, originalTransactionId: transaction.originalTransactionId)
    guard let chain = try chains.find(key)?.chain else { return }
    for entry in chain.refundEntries() where entry.key.transactionId == transaction.transactionId {
      try cases.insert(
        RefundVerdict(shownAt: entry.key.revocationDate), on: transaction.transactionId,
        inScope: scopeID)
    }
  }

  private func settleCase(
    _ transactionId: String, _ scopeID: Int64, _ before: StoredCase?, _ cause: Cause
  ) throws(StoreError) -> [Int64] {
    guard let after = try cases.find(transactionId, inScope: scopeID) else { return [] }
    for request in after.refundCase.requests {
      guard let progress = after.refundCase.settled(request, at: cause.now) else { continue }
      try cases.write(
        RequestUpdate(
          position: after.position, notificationUUID: request.notificationUUID,
          progress: progress))
    }
    var positions: [Int64] = []
    let earlier = before?.refundCase
    if after.refundCase.newest?.notificationUUID != earlier?.newest?.notificationUUID {
      positions.append(try tell(.caseOpened, after.position, cause))
    }
    if let verdict = after.refundCase.verdict, verdict.kind != earlier?.verdict?.kind {
      positions.append(try tell(.caseClosed, after.position, cause))
    }
    return positions
  }

  private func tell(_ type: EventType, _ position: Int64, _ cause: Cause) throws(StoreError)
    -> Int64
  {
    guard let stored = try cases.find(position: position) else {
      throw .inconsistent(detail: "a case is missing")
    }
    let scope = stored.refundCase.scope
    let customer = try stored.customer.flatMap { (id) throws(StoreError) in
      try customers.find(CustomerKey(scope: scope, id: id))
    }
    var writer = JSONWriter()
    writer.refundCase(stored, at: cause.now)
    return try events.append(
      type: type, payload: writer.bytes, customerID: customer?.id,
      scopeID: try chains.scopes.findOrMake(scope), version: customer?.version ?? 0, cause)
  }

  /// Requests whose turn it is, with everything that an answer is made of.
  package func dueRequests(by now: Timestamp, limit: Int) throws(StoreError) -> [DueRequest] {
    var found: [DueRequest] = []
    for (position, uuid) in try cases.due(by: now, limit: limit) {
      if let due = try dueRequest(position, uuid) { found.append(due) }
    }
    return found
  }

  /// One request as it is now, with everything that an answer is made of.
  package func dueRequest(
    _ position: Int64, _ uuid: String
  ) throws(StoreError) -> DueRequest? {
    guard let stored = try cases.find(position: position),
      let request = stored.refundCase.requests.first(where: { $0.notificationUUID == uuid }),
      let scopeID = try chains.scopes.find(stored.refundCase.scope)
    else { return nil }
    let scope = stored.refundCase.scope
    let chain = try chains.find(
      ChainKey(scope: scope, originalTransactionId: stored.originalTransactionId))
    let consent = try stored.customer.flatMap { (id) throws(StoreError) in
      try self.consent(of: CustomerKey(scope: scope, id: id))
    }
    return DueRequest(
      stored: stored, request: request,
      transaction: chain?.chain.transactions[stored.refundCase.transactionId]?.newest,
      consent: consent,
      spent: try cases.spent(on: stored.refundCase.transactionId, inScope: scopeID),
      credits: try creditUse(of: stored.refundCase.transactionId, chain?.id))
  }

  private func creditUse(
    of transactionId: String, _ chainID: Int64?
  ) throws(StoreError) -> CreditUse? {
    guard let chainID,
      let place = try lots.places(ofChain: chainID).first(where: {
        $0.transactionId == transactionId
      })
    else { return nil }
    let lot = try lots.lot(place.id)
    return CreditUse(filled: lot.filled, used: lot.spent + lot.paid)
  }

  package func nextDueRequest() throws(StoreError) -> Timestamp? { try cases.nextDue() }

  /// Writes what became of a request that was worked on.
  ///
  /// An answer that Apple took is written even if the request became moot meanwhile; anything else
  /// does not overwrite what is settled.
  ///
  /// - Returns: The positions of the events.
  package func update(
    _ update: RequestUpdate, now: Timestamp
  ) throws(StoreError) -> [Int64] {
    guard let stored = try cases.find(position: update.position),
      let request = stored.refundCase.requests.first(where: {
        $0.notificationUUID == update.notificationUUID
      }), request.isOpen || update.progress == .answered
    else { return [] }
    try cases.write(update)
    let cause = Cause(factID: nil, now: now)
    switch update.progress {
    case .answered, .refused: return [try tell(.caseAnswered, update.position, cause)]
    case .missed: return [try tell(.caseMissed, update.position, cause)]
    case .waiting, .withheld, .moot: return []
    }
  }

  /// Has every open request looked at again: the policy or the keys may be others now.
  package func reconsiderRequests(now: Timestamp) throws(StoreError) {
    try cases.makeAllDue(at: now)
  }
}
