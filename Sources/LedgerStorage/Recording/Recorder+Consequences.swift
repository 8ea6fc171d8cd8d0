import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Writes everything that follows from changed chains: postings, owners, answers, events.
  ///
  /// - Returns: The positions of the events, in order.
  func settle(_ changes: inout [ChainChange], _ cause: Cause) throws(StoreError) -> [Int64] {
    for index in changes.indices { try reattribute(&changes[index]) }
    try followOwners(&changes)
    for change in changes { try post(change, cause) }
    var positions: [Int64] = []
    for change in changes { positions += try settleCredits(change, cause) }
    for customerID in Set(changes.flatMap(\.owners)).sorted() {
      positions += try refresh(customerID, changes, cause)
    }
    for change in changes where change.after.customerID == nil {
      positions += try tellOfMoney(change, cause)
      try noteConcern(
        of: change, isDoubtful: rules.answer(change.after.chain, at: cause.now).isDoubtful,
        at: cause.now)
    }
    return positions
  }

  /// Finds out anew whose a chain is.
  func reattribute(_ change: inout ChainChange) throws(StoreError) {
    let stored = change.after
    change.owner = try ownerKey(of: stored)
    let ownerID = try change.owner.map { (key) throws(StoreError) in
      try customers.findOrMake(key)
    }
    guard ownerID != stored.customerID else { return }
    try ownership.setOwner(of: stored.id, ownerID)
    change.after.customerID = ownerID
  }

  func ownerKey(of stored: StoredChain) throws(StoreError) -> CustomerKey? {
    let claim = try ownershipClaim(of: stored)
    let owner = Attribution(claim, try ownership.records(of: stored, claim)).customer
    return owner.map { CustomerKey(scope: stored.chain.key.scope, id: $0) }
  }

  /// Chains that continue one whose owner changed may change theirs.
  private func followOwners(_ changes: inout [ChainChange]) throws(StoreError) {
    var place = 0
    while place < changes.count {
      let change = changes[place]
      place += 1
      guard change.ownerBefore != change.after.customerID else { continue }
      let original = change.after.chain.key.originalTransactionId
      let followers = try ownership.chains(
        inScope: change.after.scopeID, token: nil, appTransactionId: nil, predecessor: original)
      for id in followers where !changes.contains(where: { $0.after.id == id }) {
        guard let stored = try chains.find(id: id) else { continue }
        var follower = ChainChange(stored)
        try reattribute(&follower)
        if follower.ownerBefore != follower.after.customerID { changes.append(follower) }
      }
    }
  }

  private func post(_ change: ChainChange, _ cause: Cause) throws(StoreError) {
    let postings = Posting.difference(
      from: change.before.refundEntries(), to: change.after.chain.refundEntries())
    for posting in postings {
      try session.run(
        Self.insertPosting,
        [
          .integer(change.after.id), .text(posting.key.transactionId),
          .moment(posting.key.revocationDate), .integer(posting.amount.milliunits),
          .text(posting.amount.currency.code), .integer(cause.factID), .moment(cause.now),
        ])
    }
  }

  /// Computes a customer's answer anew where it may have changed, and tells what is different.
  ///
  /// - Returns: The positions of the events, in order.
  func refresh(
    _ customerID: Int64, _ changes: [ChainChange], _ cause: Cause
  ) throws(StoreError) -> [Int64] {
    let customer = try customers.find(id: customerID)
    let revision = try revise(customer, changes, at: cause.now)
    let own = changes.filter { $0.after.customerID == customerID }
    try noteConcerns(revision, own, at: cause.now)
    let news = LedgerEvent.difference(from: revision.before, to: revision.after)
    let money = own.flatMap { change in
      LedgerEvent.difference(
        from: change.before.refundEntries(), to: change.after.chain.refundEntries(),
        changesAccess: news.contains(where: \.changesAccess))
    }
    let version = customer.version + (news.isEmpty && money.isEmpty ? 0 : 1)
    try write(revision, of: customer)
    try customers.update(
      customer, version: version, dueAt: revision.nextChange,
      claimsHoldSince: revision.claimsHoldSince)
    try writeDecisions(revision, of: customerID, version)
    guard !news.isEmpty || !money.isEmpty else { return [] }
    let scopeID = try chains.scopes.findOrMake(customer.key.scope)
    let standing =
      revision.isWhole
      ? revision.after.sorted { $0.entitlement < $1.entitlement }
      : try customers.decisions(of: customer)
    let told = try (news + money).map { (event) throws(StoreError) in
      try events.append(
        event, in: standing, customerID: customerID, scopeID: scopeID, version: version, cause)
    }
    return try told + (news.isEmpty ? [] : closeSpending(of: customer, revision.after, cause))
  }

  /// Puts what Apple is to be asked about on the list: changed chains, and what time made doubtful.
  private func noteConcerns(
    _ revision: AnswerRevision, _ own: [ChainChange], at now: Timestamp
  ) throws(StoreError) {
    for change in own {
      let isDoubtful = revision.answer(of: change.after.id)?.isDoubtful ?? false
      try noteConcern(of: change, isDoubtful: isDoubtful, at: now)
    }
    for reading in revision.readings where reading.answer?.isDoubtful == true {
      guard !own.contains(where: { $0.after.id == reading.stored.id }) else { continue }
      try note(
        ChainConcern(rank: .doubt, due: now), chainID: reading.stored.id,
        scopeID: reading.stored.scopeID)
    }
  }

  private func writeDecisions(
    _ revision: AnswerRevision, of customerID: Int64, _ version: Int64
  ) throws(StoreError) {
    for decision in revision.after where !revision.before.contains(decision) {
      try customers.write(decision, of: customerID, version: version)
    }
    let kept = Set(revision.after.map(\.entitlement))
    for decision in revision.before where !kept.contains(decision.entitlement) {
      try customers.remove(decision.entitlement, of: customerID)
    }
  }

  private func tellOfMoney(
    _ change: ChainChange, _ cause: Cause
  ) throws(StoreError) -> [Int64] {
    let money = LedgerEvent.difference(
      from: change.before.refundEntries(), to: change.after.chain.refundEntries(),
      changesAccess: false)
    return try money.map { (event) throws(StoreError) in
      try events.append(
        event, in: nil, customerID: nil, scopeID: change.after.scopeID, version: 0, cause)
    }
  }

  private static let insertPosting = SQLStatement(
    """
    INSERT INTO postings (chain_id, transaction_id, revoked_at_ms, amount_milliunits, currency,
      fact_id, posted_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """)
}
