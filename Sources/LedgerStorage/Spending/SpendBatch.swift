import AppStoreModel
import EntitlementLedger

/// What the items of one report share: each is read once, and written once at the end.
struct SpendBatch {
  struct BookName: Hashable {
    let customerID: Int64
    let unit: String
  }

  struct RightName: Hashable {
    let customerID: Int64
    let entitlement: String
  }

  struct Customer {
    let id: Int64
    let scopeID: Int64
    /// What becomes of credits that are spent beyond the balance.
    let overdraft: PolicyEntry.SpentCredits
  }

  /// What a right may rest on.
  struct Basis {
    let chains: [StoredChain]
    let grants: [ManualGrant]
  }

  var customers: [CustomerKey: Customer] = [:]
  var books: [BookName: KeptBook] = [:]
  var rights: [RightName: Basis] = [:]
  /// In the order of opening.
  private(set) var bookNames: [BookName] = []

  mutating func add(_ book: KeptBook, as name: BookName) {
    books[name] = book
    bookNames.append(name)
  }
}
