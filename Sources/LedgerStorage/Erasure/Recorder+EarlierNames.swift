import AppStoreModel
import EntitlementLedger

extension Recorder {
  /// What else a customer was called here, before a backend said who it was: the Apple Account of its
  /// purchases, and its tokens.
  func earlierNames(
    of row: CustomerTable.Customer, inScope scopeID: Int64
  ) throws(StoreError) -> [CustomerTable.Customer] {
    var names: [CustomerTable.Customer] = []
    for token in try ErasureTable(session: session).tokens(of: row.id) {
      if let name = CustomerID(token) { names += try others(than: row, called: name) }
    }
    for account in try accounts(of: row).sorted() {
      let name = CustomerID.anonymous(appTransactionId: account)
      for other in try others(than: row, called: name)
      where try isEarlier(other, of: row, account, inScope: scopeID) { names.append(other) }
    }
    return names
  }

  /// The Apple Accounts that a customer's purchases name, or that were bound to it.
  private func accounts(of row: CustomerTable.Customer) throws(StoreError) -> Set<String> {
    var accounts = Set(try ErasureTable(session: session).appTransactionIds(boundTo: row.id))
    for id in try chains.ids(ofCustomer: row.id) {
      guard let claim = try chains.find(id: id)?.chain.ownershipClaim else { continue }
      if let account = claim.appTransactionId { accounts.insert(account) }
    }
    return accounts
  }

  /// An account's name is the customer's where the account is bound to it; of one that is bound to
  /// nobody only where it has no purchases any more, or it is a customer of its own.
  private func isEarlier(
    _ name: CustomerTable.Customer, of row: CustomerTable.Customer, _ account: String,
    inScope scopeID: Int64
  ) throws(StoreError) -> Bool {
    if let owner = try ownership.customer(boundTo: account, inScope: scopeID) {
      return owner == row.key.id
    }
    return try chains.ids(ofCustomer: name.id).isEmpty
  }

  private func others(
    than row: CustomerTable.Customer, called name: CustomerID
  ) throws(StoreError) -> [CustomerTable.Customer] {
    let found = try customers.find(CustomerKey(scope: row.key.scope, id: name))
    return [found].compactMap { $0 }.filter { $0.id != row.id }
  }
}
