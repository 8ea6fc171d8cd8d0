package import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// Registers an `appAccountToken` for a customer; purchases that carry it follow.
  ///
  /// A token that another customer registered is refused: only its own purchases move, one by one,
  /// with a transfer.
  package func register(
    token: String, to customer: CustomerKey, note: String?, now: Timestamp
  ) throws(StoreError) -> TokenOutcome {
    guard let token = AccountToken.registrable(token) else { return .notAToken }
    let scopeID = try chains.scopes.findOrMake(customer.scope)
    if let owner = try ownership.owner(ofToken: token, inScope: scopeID) {
      return owner == customer.id ? .done(changed: false) : .registeredElsewhere
    }
    let customerID = try customers.findOrMake(customer)
    try ownership.register(token, inScope: scopeID, to: customerID, at: now)
    let fact = OwnFact(
      scope: customer.scope, recordedAt: now, note: note,
      statement: .registeredToken(customer: customer.id, appAccountToken: token))
    let filing = FactTable.Filing(
      effect: .applied, scopeID: scopeID, customerID: customerID, date: now)
    let factID = try facts.store(fact, filing)
    let ids = try ownership.chains(
      inScope: scopeID, token: token, appTransactionId: nil, predecessor: nil)
    var changes: [ChainChange] = []
    for id in ids {
      if let stored = try chains.find(id: id) { changes.append(ChainChange(stored)) }
    }
    _ = try settle(&changes, Cause(fact, id: factID))
    return .done(changed: true)
  }
}

/// What became of a wish to register a token.
package enum TokenOutcome: Hashable, Sendable {
  /// It is so now; `changed` tells whether it was not before.
  case done(changed: Bool)
  /// Another customer registered it.
  case registeredElsewhere
  /// It is no UUID, or one of only zeroes.
  case notAToken
}
