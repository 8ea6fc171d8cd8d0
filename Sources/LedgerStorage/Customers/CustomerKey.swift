package import EntitlementLedger

/// Names a customer: ids of one app and environment mean nothing in another.
package struct CustomerKey: Hashable, Sendable {
  package let scope: Scope
  package let id: CustomerID

  package init(scope: Scope, id: CustomerID) {
    self.scope = scope
    self.id = id
  }
}
