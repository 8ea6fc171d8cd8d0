package import AppStoreModel

/// Who has access and what money stays given back, as the store itself knows it at one moment.
package struct Truth: Hashable, Sendable {
  /// What one customer may use.
  package struct Access: Hashable, Sendable {
    package let customer: Customer
    /// Every product of the catalog that grants something, with whether it does.
    package let products: [String: Bool]
  }

  /// Of every customer, in the order in which they came.
  package let access: [Access]
  /// What refunds have given back and no reversal has taken again; a currency without any is absent.
  package let refunded: [Currency: Money]
}
