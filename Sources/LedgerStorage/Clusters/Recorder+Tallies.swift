package import AppStoreModel
import LedgerReports

extension Recorder {
  /// Counts purchases that were not counted yet, at most `limit`, and those whose version became known.
  ///
  /// Counting is a step of its own, so that taking a purchase in costs nothing more. Purchases too old
  /// to be looked at are passed over.
  package func tallyPurchases(now: Timestamp, limit: Int) throws(StoreError) -> TallyProgress {
    let progress = try session.first(Self.progress, []) { (row) throws(StoreError) in
      (try row.requiredInteger(0), try row.requiredInteger(1))
    }
    guard let (lastTransaction, lastVersion) = progress else {
      throw .inconsistent(detail: "the count of purchases has no place")
    }
    let oldest = FaultWatch.firstPurchaseDay(for: UTCDay(now))
    let versions = try newVersions(lastTransaction, lastVersion, limit)
    for found in versions { try move(found.purchase, oldest) }
    let newestVersion = versions.last?.id ?? lastVersion
    let purchases = try session.rows(
      Self.newPurchases,
      [.integer(newestVersion), .integer(lastTransaction), .integer(Int64(limit))]
    ) { (row) throws(StoreError) in try Purchase(row) }
    try add(purchases, oldest)
    let read = versions.count + purchases.count
    guard read > 0 else { return TallyProgress(isComplete: true, read: 0) }
    try session.run(
      Self.setProgress,
      [.integer(purchases.last?.id ?? lastTransaction), .integer(newestVersion)])
    return TallyProgress(
      isComplete: versions.count < limit && purchases.count < limit, read: read)
  }

  /// Lets counts go that no look needs any more.
  package func dropOldTallies(now: Timestamp) throws(StoreError) {
    let oldest = FaultWatch.firstPurchaseDay(for: UTCDay(now))
    try session.run(Self.deleteOld, [.integer(oldest.number)])
  }

  private func newVersions(
    _ lastTransaction: Int64, _ lastVersion: Int64, _ limit: Int
  ) throws(StoreError) -> [(id: Int64, purchase: Purchase?)] {
    try session.rows(Self.newVersions, [.integer(lastVersion), .integer(Int64(limit))]) {
      (row) throws(StoreError) in
      let id = try row.requiredInteger(8)
      // A purchase that was not counted yet is counted under its version at once.
      guard let transaction = row.integer(0), transaction <= lastTransaction else {
        return (id, nil)
      }
      return (id, try Purchase(row))
    }
  }

  /// Moves a counted purchase from those of unknown version to its own.
  private func move(_ purchase: Purchase?, _ oldest: UTCDay) throws(StoreError) {
    guard let purchase, purchase.counts(from: oldest) else { return }
    let changed = try session.run(
      Self.takeUnknown,
      [
        .integer(purchase.scopeID), .integer(purchase.day.number), .text(purchase.productId),
        .text(purchase.storefront),
      ])
    if changed > 0 { try add(purchase.key, 1) }
  }

  private func add(_ purchases: [Purchase], _ oldest: UTCDay) throws(StoreError) {
    var counts: [Purchase.Key: Int64] = [:]
    for purchase in purchases where purchase.counts(from: oldest) {
      counts[purchase.key, default: 0] += 1
    }
    for (key, count) in counts { try add(key, count) }
  }

  private func add(_ key: Purchase.Key, _ count: Int64) throws(StoreError) {
    try session.run(
      Self.addTally,
      [
        .integer(key.scopeID), .text(key.productId), .text(key.version), .text(key.storefront),
        .integer(key.day), .integer(count),
      ])
  }

  private static let purchaseColumns = """
    transactions.id, chains.scope_id, transactions.product_id, transactions.storefront,
      transactions.purchased_at_ms, transactions.ownership, transactions.price_milliunits,
      versions.app_version
    """
  private static let progress = SQLStatement(
    "SELECT last_transaction, last_version FROM tally_progress")
  private static let setProgress = SQLStatement(
    "UPDATE tally_progress SET last_transaction = ?, last_version = ?")
  private static let newPurchases = SQLStatement(
    """
    SELECT \(purchaseColumns)
    FROM transactions JOIN chains ON chains.id = transactions.chain_id
    LEFT JOIN reported_versions AS versions ON versions.chain_id = transactions.chain_id
      AND versions.transaction_id = transactions.transaction_id AND versions.id <= ?
    WHERE transactions.id > ? ORDER BY transactions.id LIMIT ?
    """)
  private static let newVersions = SQLStatement(
    """
    SELECT \(purchaseColumns), versions.id
    FROM reported_versions AS versions LEFT JOIN transactions
      ON transactions.chain_id = versions.chain_id
      AND transactions.transaction_id = versions.transaction_id
    LEFT JOIN chains ON chains.id = transactions.chain_id
    WHERE versions.id > ? ORDER BY versions.id LIMIT ?
    """)
  private static let addTally = SQLStatement(
    """
    INSERT INTO purchase_tallies (scope_id, product_id, app_version, storefront, purchase_day,
      purchases)
    VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope_id, purchase_day, product_id, app_version, storefront)
      DO UPDATE SET purchases = purchase_tallies.purchases + excluded.purchases
    """)
  private static let takeUnknown = SQLStatement(
    """
    UPDATE purchase_tallies SET purchases = purchases - 1
    WHERE scope_id = ? AND purchase_day = ? AND product_id = ? AND app_version = ''
      AND storefront = ? AND purchases > 0
    """)
  private static let deleteOld = SQLStatement(
    "DELETE FROM purchase_tallies WHERE purchase_day < ?")
}

/// What is counted of a purchase.
private struct Purchase {
  struct Key: Hashable {
    let scopeID: Int64
    let productId: String
    let version: String
    let storefront: String
    let day: Int64
  }

  let id: Int64
  let scopeID: Int64
  let productId: String
  let storefront: String
  let day: UTCDay
  private let version: String
  private let isPaid: Bool

  init(_ row: any SQLRow) throws(StoreError) {
    id = try row.requiredInteger(0)
    scopeID = try row.requiredInteger(1)
    productId = try row.requiredText(2)
    storefront = row.text(3) ?? ""
    day = UTCDay(try row.requiredTimestamp(4))
    isPaid = row.text(5) == InAppOwnershipType.purchased.rawValue && row.integer(6) != 0
    version = row.text(7) ?? ""
  }

  var key: Key {
    Key(
      scopeID: scopeID, productId: productId, version: version, storefront: storefront,
      day: day.number)
  }

  /// What cost nothing, and what somebody else bought, is never refunded.
  func counts(from oldest: UTCDay) -> Bool { isPaid && day >= oldest }
}
