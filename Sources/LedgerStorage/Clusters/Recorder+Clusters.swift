package import AppStoreModel
package import EntitlementLedger
package import LedgerReports

extension Recorder {
  /// Every app and environment that anything is known of.
  package func allScopes() throws(StoreError) -> [Scope] {
    try session.rows(Self.scopes, []) { (row) throws(StoreError) in
      Scope(
        realm: realm, bundleId: try row.requiredText(0),
        environment: AppStoreEnvironment(rawValue: try row.requiredText(1)))
    }
  }

  /// Counted purchases of an app, by the marks that a fault may hit.
  package func purchaseCounts(
    in scope: Scope, from day: UTCDay
  ) throws(StoreError) -> [PurchaseCount] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    return try session.rows(Self.tallies, [.integer(scopeID), .integer(day.number)]) {
      (row) throws(StoreError) in
      PurchaseCount(
        cell: FaultCell(
          productId: try row.requiredText(0), appVersion: Self.stated(row.text(1)),
          storefront: Self.stated(row.text(2)), purchasedOn: UTCDay(try row.requiredInteger(3))),
        purchases: try row.requiredInteger(4))
    }
  }

  /// Refunds for a fault of an app, one for each purchase.
  package func faultRefunds(
    in scope: Scope, from day: UTCDay
  ) throws(StoreError) -> [FaultRefund] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    var seen: Set<String> = []
    return try session.rows(Self.faults, [.moment(day.start), .integer(scopeID)]) {
      (row) throws(StoreError) -> FaultRefund? in
      guard seen.insert(try row.requiredText(0)).inserted else { return nil }
      return FaultRefund(
        cell: FaultCell(
          productId: try row.requiredText(1), appVersion: row.text(2),
          storefront: Self.stated(row.text(3)), purchasedOn: UTCDay(try row.requiredTimestamp(4))),
        refundedOn: UTCDay(try row.requiredTimestamp(5)))
    }.compactMap { $0 }
  }

  /// Told clusters of an app after a position, in the order of telling.
  package func clusters(
    in scope: Scope, after position: Int64 = 0, limit: Int
  ) throws(StoreError) -> [StoredCluster] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    return try session.rows(
      Self.clustersOf, [.integer(scopeID), .integer(position), .integer(Int64(limit))], Self.cluster
    )
  }

  /// Told clusters whose days may still be looked at.
  package func recentClusters(
    in scope: Scope, at day: UTCDay
  ) throws(StoreError) -> [StoredCluster] {
    guard let scopeID = try chains.scopes.find(scope) else { return [] }
    let oldest = day.adding(-(FaultWatch.windows.max() ?? 0))
    return try session.rows(
      Self.recent, [.integer(scopeID), .integer(oldest.number)], Self.cluster)
  }

  /// Keeps what a look found: new clusters are told, known ones that grew are written.
  ///
  /// - Returns: How many were told. One whose group and days overlap a told one's is not told again.
  package func record(
    _ finding: FaultWatch.Finding, known: [StoredCluster], in scope: Scope, now: Timestamp
  ) throws(StoreError) -> Int {
    for (stored, cluster) in zip(known, finding.known) where stored.cluster != cluster {
      try session.run(
        Self.grow,
        [
          .integer(cluster.lastDay.number), .integer(cluster.refunds),
          .integer(cluster.expectedThousandths), .integer(stored.position),
        ])
    }
    let scopeID = try chains.scopes.findOrMake(scope)
    let told = try recentClusters(in: scope, at: UTCDay(now))
    let new = finding.new.filter { cluster in
      !told.contains {
        $0.cluster.group == cluster.group && $0.cluster.lastDay >= cluster.firstDay
      }
    }
    for cluster in new { try tell(cluster, scopeID, now) }
    return new.count
  }

  private func tell(
    _ cluster: FaultCluster, _ scopeID: Int64, _ now: Timestamp
  ) throws(StoreError) {
    let position = try session.insert(
      Self.insertCluster,
      [.integer(scopeID)] + Self.values(cluster.group) + [
        .integer(cluster.firstDay.number), .integer(cluster.lastDay.number),
        .integer(cluster.refunds), .integer(cluster.expectedThousandths),
        .integer(cluster.oneIn), .moment(now),
      ])
    var writer = JSONWriter()
    writer.cluster(StoredCluster(position: position, cluster: cluster, toldAt: now))
    _ = try events.append(
      type: .faultCluster, payload: writer.bytes, customerID: nil, scopeID: scopeID, version: 0,
      Cause(factID: nil, now: now))
  }

  private static func stated(_ text: String?) -> String? { text == "" ? nil : text }

  private static func values(_ group: FaultGroup) -> [SQLValue] {
    func value(_ mark: FaultGroup.Mark<String?>) -> SQLValue {
      switch mark {
      case .any: .null
      case .only(let text): .text(text ?? "")
      }
    }
    var product = SQLValue.null
    if case .only(let text) = group.productId { product = .text(text) }
    var week = SQLValue.null
    if case .only(let day) = group.purchaseWeek { week = .integer(day.number) }
    return [product, value(group.appVersion), value(group.storefront), week]
  }

  private static func cluster(_ row: any SQLRow) throws(StoreError) -> StoredCluster {
    let group = FaultGroup(
      productId: row.text(1).map { .only($0) } ?? .any,
      appVersion: row.text(2).map { .only(stated($0)) } ?? .any,
      storefront: row.text(3).map { .only(stated($0)) } ?? .any,
      purchaseWeek: row.integer(4).map { .only(UTCDay($0)) } ?? .any)
    return StoredCluster(
      position: try row.requiredInteger(0),
      cluster: FaultCluster(
        group: group, firstDay: UTCDay(try row.requiredInteger(5)),
        lastDay: UTCDay(try row.requiredInteger(6)), refunds: try row.requiredInteger(7),
        expectedThousandths: try row.requiredInteger(8), oneIn: try row.requiredInteger(9)),
      toldAt: try row.requiredTimestamp(10))
  }

  private static let columns = """
    id, product_id, app_version, storefront, purchase_week, first_day, last_day, refunds,
      expected_thousandths, one_in, told_at_ms
    """
  private static let scopes = SQLStatement(
    "SELECT bundle_id, environment FROM scopes ORDER BY id")
  private static let tallies = SQLStatement(
    """
    SELECT product_id, app_version, storefront, purchase_day, purchases
    FROM purchase_tallies WHERE scope_id = ? AND purchase_day >= ? AND purchases > 0
    """)
  /// As a refund is told from other revocations: bought, and not on the word of a REVOKE.
  private static let faults = SQLStatement(
    """
    SELECT revocations.transaction_id, product_id, versions.app_version, storefront,
      purchased_at_ms, revoked_at_ms
    FROM revocations JOIN chains ON chains.id = revocations.chain_id
    LEFT JOIN reported_versions AS versions ON versions.chain_id = revocations.chain_id
      AND versions.transaction_id = revocations.transaction_id
    WHERE revocation_reason = 1 AND revoked_at_ms >= ? AND chains.scope_id = ?
      AND ownership = 'PURCHASED' AND (refund_seen = 1 OR revoke_seen = 0)
      AND (revocation_type IS NULL OR revocation_type IN ('REFUND_FULL', 'REFUND_PRORATED'))
    ORDER BY revoked_at_ms, revocations.id
    """)
  private static let clustersOf = SQLStatement(
    "SELECT \(columns) FROM fault_clusters WHERE scope_id = ? AND id > ? ORDER BY id LIMIT ?")
  private static let recent = SQLStatement(
    "SELECT \(columns) FROM fault_clusters WHERE scope_id = ? AND last_day >= ? ORDER BY id")
  private static let grow = SQLStatement(
    """
    UPDATE fault_clusters SET last_day = ?, refunds = ?, expected_thousandths = ? WHERE id = ?
    """)
  private static let insertCluster = SQLStatement(
    """
    INSERT INTO fault_clusters (scope_id, product_id, app_version, storefront, purchase_week,
      first_day, last_day, refunds, expected_thousandths, one_in, told_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
}
