package import AppStoreModel
package import EntitlementLedger

/// The apps and environments that a store has facts of.
///
/// It remembers what it read: one table serves one transaction, so that nothing remembered outlives
/// a transaction that was undone.
package final class ScopeTable {
  let session: any SQLSession
  let realm: Realm
  private var ids: [Scope: Int64] = [:]
  private var scopes: [Int64: Scope] = [:]

  package init(session: any SQLSession, realm: Realm) {
    self.session = session
    self.realm = realm
  }

  package func find(_ scope: Scope) throws(StoreError) -> Int64? {
    if let known = ids[scope] { return known }
    guard scope.realm == realm else { throw .inconsistent(detail: "a fact of another realm") }
    let id = try session.number(
      Self.byName, [.text(scope.bundleId), .text(scope.environment.rawValue)])
    ids[scope] = id
    return id
  }

  func findOrMake(_ scope: Scope) throws(StoreError) -> Int64 {
    if let known = try find(scope) { return known }
    let id = try session.insert(
      Self.insert, [.text(scope.bundleId), .text(scope.environment.rawValue)])
    ids[scope] = id
    return id
  }

  func scope(_ id: Int64) throws(StoreError) -> Scope? {
    if let known = scopes[id] { return known }
    let scope = try session.first(Self.byID, [.integer(id)]) { (row) throws(StoreError) in
      Scope(
        realm: realm, bundleId: try row.requiredText(0),
        environment: AppStoreEnvironment(rawValue: try row.requiredText(1)))
    }
    scopes[id] = scope
    return scope
  }

  private static let byName = SQLStatement(
    "SELECT id FROM scopes WHERE bundle_id = ? AND environment = ?")
  private static let byID = SQLStatement(
    "SELECT bundle_id, environment FROM scopes WHERE id = ?")
  private static let insert = SQLStatement(
    "INSERT INTO scopes (bundle_id, environment) VALUES (?, ?)")
}
