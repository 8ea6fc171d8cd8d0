package import AppStoreModel
import EntitlementLedger

/// What an erasure came to.
package struct Erasure: Hashable, Sendable {
  /// Whether there was such a customer.
  package var isChanged = false
  /// How many purchases have no owner now.
  package var purchases = 0
  /// How many facts have no body now.
  package var facts = 0
  /// How many events have no name now.
  package var events = 0

  package init() {}
}

extension Recorder {
  /// Forgets a customer: who it was, not what was bought, spent and refunded.
  ///
  /// State and money stay without a person. What Apple says later of those purchases is applied, and
  /// its bodies are not kept. Doing so again changes nothing.
  ///
  /// `mark` stands in place of the customer's name: chance, so that nothing leads back. `key` is the
  /// name of the API key that asks for it.
  package func erase(
    _ customer: CustomerKey, as mark: String, by key: String?, now: Timestamp
  ) throws(StoreError) -> Erasure {
    guard let row = try customers.find(customer) else {
      try ErasureTable(session: session).letGoOfImports(of: customer)
      return Erasure()
    }
    var erasure = Erasure()
    erasure.isChanged = true
    let scopeID = try chains.scopes.findOrMake(customer.scope)
    let names = [row] + (try earlierNames(of: row, inScope: scopeID))
    for (place, name) in names.enumerated() {
      let mark = place == 0 ? mark : Self.mark(mark, place)
      try forget(name, as: mark, by: key, inScope: scopeID, now, &erasure)
    }
    return erasure
  }

  /// A name of chance for what a customer was called before.
  private static func mark(_ mark: String, _ place: Int) -> String {
    let digits = Fingerprint(hashing: Array("\(mark) \(place)".utf8)).hexadecimal.prefix(32)
    return mark.prefix(while: { $0 != ":" }) + ":" + digits
  }

  private func forget(
    _ row: CustomerTable.Customer, as mark: String, by key: String?, inScope scopeID: Int64,
    _ now: Timestamp, _ erasure: inout Erasure
  ) throws(StoreError) {
    let table = ErasureTable(session: session)
    try table.letGoOfImports(of: row.key)
    let chainIDs = try chains.ids(ofCustomer: row.id)
    let accounts = try noteMarks(of: row, chainIDs, inScope: scopeID, now)
    try closeAll(of: row.id, now)
    for id in chainIDs { try table.take(personFrom: id) }
    try table.letGoOfStatements(row.id)
    try leave(chainIDs, row.id, now)
    erasure.purchases += chainIDs.count
    erasure.facts += try facts.forgetAppTransactions(accounts, inScope: scopeID)
    for id in chainIDs {
      try table.letGoOfArrivals(ofChain: id)
      erasure.facts += try facts.forgetBodies(ofChain: id)
    }
    erasure.facts += try facts.forgetBodies(ofCustomer: row.id)
    erasure.events += try forgetEvents(of: row.id, as: mark)
    try requestKeys.letGoOfKeys(ofCustomer: row.id)
    try table.letGoOfSpendDetail(row.id)
    try table.rename(row.id, to: mark, by: key, at: now)
  }

  /// Remembers, as hashes, what would name the customer in what Apple says next.
  ///
  /// - Returns: The Apple Accounts that were known to be the customer's.
  private func noteMarks(
    of row: CustomerTable.Customer, _ chainIDs: [Int64], inScope scopeID: Int64, _ now: Timestamp
  ) throws(StoreError) -> [String] {
    let table = ErasureTable(session: session)
    var accounts = try table.appTransactionIds(boundTo: row.id)
    if row.key.id.isAnonymous { accounts.append(String(row.key.id.text.dropFirst(4))) }
    for account in accounts {
      try erasedMarks.add(account, .appTransaction, inScope: scopeID, at: now)
    }
    for token in try table.tokens(of: row.id) {
      try erasedMarks.add(token, .token, inScope: scopeID, at: now)
    }
    if let name = try ownName(row.key.id.text.lowercased(), chainIDs) {
      try erasedMarks.add(name, .token, inScope: scopeID, at: now)
    }
    return accounts
  }

  /// The customer's name where it is a token that nobody registered; of another name not even a hash is
  /// kept, since a short one can be guessed.
  private func ownName(_ name: String, _ chainIDs: [Int64]) throws(StoreError) -> String? {
    if AccountToken.registrable(name) != nil { return name }
    for id in chainIDs {
      if try chains.find(id: id)?.chain.ownershipClaim.appAccountToken == name { return name }
    }
    return nil
  }

  /// Ends what is open; holders are told by the id of their hold.
  private func closeAll(of customerID: Int64, _ now: Timestamp) throws(StoreError) {
    for hold in try authorizations.open(ofCustomer: customerID) {
      _ = try end(hold, as: .revoked, Cause(factID: nil, now: now), paysDebts: false)
    }
    for cost in try runningCosts.running(ofCustomer: customerID) {
      try finish(cost, .ended, now)
    }
  }

  /// Leaves the purchases to nobody, with all that follows for balances and answers.
  private func leave(
    _ chainIDs: [Int64], _ customerID: Int64, _ now: Timestamp
  ) throws(StoreError) {
    var changes: [ChainChange] = []
    for id in chainIDs {
      if let stored = try chains.find(id: id) { changes.append(ChainChange(stored)) }
    }
    let cause = Cause(factID: nil, now: now)
    _ = try settle(&changes, cause)
    if changes.isEmpty { _ = try refresh(customerID, [], cause) }
  }

  private func forgetEvents(
    of customerID: Int64, as mark: String
  ) throws(StoreError) -> Int {
    let table = ErasureTable(session: session)
    let events = try table.events(of: customerID)
    for (position, payload) in events {
      guard let said = try? JSONValue(json: Array(payload.utf8)) else {
        throw .inconsistent(detail: "an event that is no JSON")
      }
      let left = String(decoding: said.erased(customer: mark).json, as: UTF8.self)
      if left != payload { try table.write(left, to: position) }
    }
    return events.count
  }
}

extension Ledger {
  /// Forgets a customer; completes with what that came to.
  package func erase(
    _ customer: CustomerKey, as mark: String, by key: String?, now: Timestamp,
    completion: @escaping Completion<Erasure>
  ) {
    write(completion) { (recorder) throws(StoreError) in
      try recorder.erase(customer, as: mark, by: key, now: now)
    }
  }
}
