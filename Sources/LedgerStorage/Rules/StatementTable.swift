import AppStoreModel
import EntitlementLedger

/// Statements about catalogs and policies; the latest about a subject counts, and none is edited.
struct StatementTable {
  let session: any SQLSession

  /// The statements in force.
  func standing() throws(StoreError) -> StatedRules {
    var rules = StatedRules()
    for head in try heads(Self.latest, []) {
      rules.put(try statement(head), for: head.key)
    }
    return rules
  }

  /// All statements about a subject, the first one first.
  func all(about key: StatedRules.Key) throws(StoreError) -> [StatedRules.Statement] {
    try heads(Self.about, [.text(key.bundleId), .text(key.subject.productId)])
      .map { (head) throws(StoreError) in try statement(head) }
  }

  func insert(
    _ statement: StatedRules.Statement, about key: StatedRules.Key
  ) throws(StoreError) {
    let id = try session.insert(
      Self.insertHead,
      [
        .text(key.bundleId), .text(key.subject.productId),
        .flag(statement.content == .withdrawn), .text(statement.statedBy),
        .moment(statement.statedAt),
      ])
    switch statement.content {
    case .withdrawn: return
    case .catalog(let entries): for entry in entries { try insert(entry, id) }
    case .policy(let entries): for entry in entries { try insert(entry, id) }
    }
  }

  private func insert(_ entry: CatalogEntry, _ id: Int64) throws(StoreError) {
    let names = JSONValue.array(entry.entitlements.map { .string($0) })
    try session.run(
      Self.insertCatalogEntry,
      [
        .integer(id), .moment(entry.effectiveFrom.stored),
        .text(String(decoding: names.json, as: UTF8.self)), .text(entry.typeHint?.rawValue),
        .integer(entry.length?.milliseconds), .integer(entry.creditsPerUnit),
        .text(entry.creditUnit), .flag(entry.isFamilyShareable),
      ])
  }

  private func insert(_ entry: PolicyEntry, _ id: Int64) throws(StoreError) {
    try session.run(
      Self.insertPolicyEntry,
      [
        .integer(id), .moment(entry.effectiveFrom.stored),
        .integer(entry.renewalLeeway.milliseconds), .text(entry.unknownCustomer.rawValue),
        .text(entry.spentCredits.rawValue),
      ])
  }

  private struct Head {
    let id: Int64
    let key: StatedRules.Key
    let isWithdrawn: Bool
    let statedBy: String?
    let statedAt: Timestamp
  }

  private func heads(
    _ statement: SQLStatement, _ values: [SQLValue]
  ) throws(StoreError) -> [Head] {
    try session.rows(statement, values) { (row) throws(StoreError) in
      let productId = try row.requiredText(2)
      return Head(
        id: try row.requiredInteger(0),
        key: StatedRules.Key(
          bundleId: try row.requiredText(1),
          subject: productId.isEmpty ? .policy : .product(productId)),
        isWithdrawn: row.flag(3), statedBy: row.text(4), statedAt: try row.requiredTimestamp(5))
    }
  }

  private func statement(_ head: Head) throws(StoreError) -> StatedRules.Statement {
    let content: StatedRules.Content =
      switch (head.isWithdrawn, head.key.subject) {
      case (true, _): .withdrawn
      case (false, .product(let productId)): .catalog(try catalog(head.id, productId))
      case (false, .policy): .policy(try policy(head.id))
      }
    return StatedRules.Statement(
      content: content, statedBy: head.statedBy, statedAt: head.statedAt)
  }

  private func catalog(_ id: Int64, _ productId: String) throws(StoreError) -> [CatalogEntry] {
    try session.rows(Self.catalogEntries, [.integer(id)]) { (row) throws(StoreError) in
      let names = try? JSONValue(json: Array(try row.requiredText(1).utf8)).array
      return CatalogEntry(
        productId: productId, effectiveFrom: row.timestamp(0) ?? .distantPast,
        entitlements: names?.compactMap(\.string) ?? [],
        typeHint: row.text(2).map { ProductType(rawValue: $0) },
        length: row.integer(3).map { TimeSpan(milliseconds: $0) },
        creditsPerUnit: row.integer(4), creditUnit: try row.requiredText(5),
        isFamilyShareable: row.flag(6))
    }
  }

  private func policy(_ id: Int64) throws(StoreError) -> [PolicyEntry] {
    try session.rows(Self.policyEntries, [.integer(id)]) { (row) throws(StoreError) in
      guard let unknown = PolicyEntry.UnknownCustomer(rawValue: try row.requiredText(2)),
        let spent = PolicyEntry.SpentCredits(rawValue: try row.requiredText(3))
      else { throw .inconsistent(detail: "a policy of unknown words") }
      return PolicyEntry(
        effectiveFrom: row.timestamp(0) ?? .distantPast,
        renewalLeeway: TimeSpan(milliseconds: try row.requiredInteger(1)),
        unknownCustomer: unknown, spentCredits: spent)
    }
  }

  private static let columns = """
    id, bundle_id, product_id, is_withdrawn, stated_by, stated_at_ms
    """
  private static let latest = SQLStatement(
    """
    SELECT \(columns) FROM rule_statements
    WHERE id IN (SELECT max(id) FROM rule_statements GROUP BY bundle_id, product_id) ORDER BY id
    """)
  private static let about = SQLStatement(
    """
    SELECT \(columns) FROM rule_statements WHERE bundle_id = ? AND product_id = ? ORDER BY id
    """)
  private static let insertHead = SQLStatement(
    """
    INSERT INTO rule_statements (bundle_id, product_id, is_withdrawn, stated_by, stated_at_ms)
    VALUES (?, ?, ?, ?, ?)
    """)
  private static let insertCatalogEntry = SQLStatement(
    """
    INSERT INTO catalog_entries (statement_id, effective_from_ms, entitlements, type, length_ms,
      credits_per_unit, credit_unit, is_family_shareable)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let insertPolicyEntry = SQLStatement(
    """
    INSERT INTO policy_entries (statement_id, effective_from_ms, renewal_leeway_ms,
      unknown_customer, spent_credits)
    VALUES (?, ?, ?, ?, ?)
    """)
  private static let catalogEntries = SQLStatement(
    """
    SELECT effective_from_ms, entitlements, type, length_ms, credits_per_unit, credit_unit,
      is_family_shareable
    FROM catalog_entries WHERE statement_id = ? ORDER BY id
    """)
  private static let policyEntries = SQLStatement(
    """
    SELECT effective_from_ms, renewal_leeway_ms, unknown_customer, spent_credits
    FROM policy_entries WHERE statement_id = ? ORDER BY id
    """)
}

extension StatedRules.Subject {
  /// Empty for the policy, which is of no product.
  fileprivate var productId: String {
    switch self {
    case .product(let id): id
    case .policy: ""
    }
  }
}

extension Timestamp {
  /// `nil` for what counts from ever on.
  fileprivate var stored: Timestamp? { self == .distantPast ? nil : self }
}
