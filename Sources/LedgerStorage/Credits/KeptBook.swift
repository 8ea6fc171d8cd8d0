import AppStoreModel
import EntitlementLedger

/// A balance's book out of the store: what is done to it is written back as a whole.
struct KeptBook {
  let customerID: Int64
  let unit: String
  var book: CreditBook
  let before: CreditBook
  let debtRows: [DebtTable.Row]
  /// The rows of spends by their names, for debts and lines that name them.
  var spendIDs: [String: Int64] = [:]

  init(
    customerID: Int64, unit: String, lots: [CreditLot], debts: [DebtTable.Row]
  ) {
    self.customerID = customerID
    self.unit = unit
    book = CreditBook(lots: lots, debts: debts.map(\.debt))
    before = book
    debtRows = debts
  }

  /// Whether what a customer may spend or owes is other than it was.
  var isNews: Bool {
    book.balance != before.balance || book.owed != before.owed
      || book.isFrozen != before.isFrozen
  }
}
