package import AppStoreModel
package import EntitlementLedger

/// One balance of a customer, with everything that it is made of.
package struct CreditBalance: Hashable, Sendable {
  /// A lot and the product that filled it.
  package struct Lot: Hashable, Sendable {
    package let productId: String
    package let lot: CreditLot
  }

  /// Something owed, frozen or written off, by the name that it can be forgiven under.
  package struct Debt: Hashable, Sendable {
    package let id: String
    package let openedAt: Timestamp
    package let debt: CreditDebt
    /// Of the purchase that was refunded.
    package let transactionId: String?
  }

  package let unit: String
  package let book: CreditBook
  /// In the order of drawing.
  package let lots: [Lot]
  /// In the order of opening, without what a reversal undid.
  package let debts: [Debt]
}

/// The balances of a customer at one moment.
package struct CustomerBalances: Hashable, Sendable {
  package let customer: CustomerKey
  package let version: Int64
  package let asOf: Timestamp
  /// Sorted by unit.
  package let balances: [CreditBalance]
}
