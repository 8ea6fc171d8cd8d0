package import AppStoreModel
package import EntitlementLedger

extension Recorder {
  /// Remembers alerts of a fact and of the chains that it changed.
  ///
  /// - Returns: Those that were not raised before.
  func raise(
    _ fact: LedgerFact, _ changes: [ChainChange], _ cause: Cause
  ) throws(StoreError) -> [Alert] {
    var alerts = fact.alerts(catalog: rules.catalog(fact.scope.bundleId))
    if fact.transaction?.revocation != nil {
      alerts += changes.flatMap(\.after.chain.unclassifiedRevocations)
    }
    guard !alerts.isEmpty else { return [] }
    let scopeID = try chains.scopes.findOrMake(fact.scope)
    var news: [Alert] = []
    for alert in alerts {
      let added = try session.run(
        Self.insertAlert,
        [
          .integer(scopeID), .text(alert.kind.rawValue), .text(alert.field), .text(alert.value),
          .integer(cause.factID), .moment(cause.now),
        ])
      if added > 0 { news.append(alert) }
    }
    return news
  }

  /// Alerts of an app after a position, oldest first.
  package func alerts(
    in scope: Scope, after position: Int64, limit: Int
  ) throws(StoreError) -> [RaisedAlert] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    return try session.rows(
      Self.alertsAfter, [.integer(scopeID), .integer(position), .integer(Int64(limit))]
    ) { (row) throws(StoreError) in
      guard let kind = Alert.Kind(rawValue: try row.requiredText(1)) else {
        throw .inconsistent(detail: "an alert of unknown kind")
      }
      return RaisedAlert(
        position: try row.requiredInteger(0), scope: scope,
        alert: Alert(kind, field: try row.requiredText(2), value: try row.requiredText(3)),
        factID: row.integer(4), raisedAt: try row.requiredTimestamp(5))
    }
  }

  /// Products that were bought and that the catalog in force says nothing of, by scope in order of alert.
  package func unmappedProducts(
    at now: Timestamp
  ) throws(StoreError) -> [(scope: Scope, productId: String)] {
    let found = try session.rows(Self.unmapped, [.text(Alert.Kind.unmappedProduct.rawValue)]) {
      (row) throws(StoreError) in (try row.requiredInteger(0), try row.requiredText(1))
    }
    var products: [(scope: Scope, productId: String)] = []
    for (scopeID, productId) in found {
      guard let scope = try chains.scopes.scope(scopeID) else { continue }
      let catalog = rules.catalog(scope.bundleId)
      if catalog.entitlements(of: productId, boughtAt: now) == nil {
        products.append((scope, productId))
      }
    }
    return products
  }

  private static let insertAlert = SQLStatement(
    """
    INSERT INTO alerts (scope_id, kind, field, value, fact_id, raised_at_ms)
    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (scope_id, kind, field, value) DO NOTHING
    """)
  private static let unmapped = SQLStatement(
    """
    SELECT scopes.id, alerts.value FROM scopes
    JOIN alerts ON alerts.scope_id = scopes.id AND alerts.kind = ?
    ORDER BY scopes.id, alerts.id
    """)
  private static let alertsAfter = SQLStatement(
    """
    SELECT id, kind, field, value, fact_id, raised_at_ms FROM alerts
    WHERE scope_id = ? AND id > ? ORDER BY id LIMIT ?
    """)
}
