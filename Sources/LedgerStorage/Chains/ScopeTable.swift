package import AppStoreModel
package import EntitlementLedger

/// The apps and environments that a store has facts of.
package struct ScopeTable {
  let session: any SQLSession
  let realm: Realm

  package init(session: any SQLSession, realm: Realm) {
    self.session = session
    self.realm = realm
  }

  package func find(_ scope: Scope) throws(StoreError) -> Int64? {
    guard scope.realm == realm else { throw .inconsistent(detail: "a fact of another realm") }
    return try session.number(
      Self.byName, [.text(scope.bundleId), .text(scope.environment.rawValue)])
  }

  func findOrMake(_ scope: Scope) throws(StoreError) -> Int64 {
    if let known = try find(scope) { return known }
    return try session.insert(
      Self.insert, [.text(scope.bundleId), .text(scope.environment.rawValue)])
  }

  func scope(_ id: Int64) throws(StoreError) -> Scope? {
    try session.first(Self.byID, [.integer(id)]) { (row) throws(StoreError) in
      Scope(
        realm: realm, bundleId: try row.requiredText(0),
        environment: AppStoreEnvironment(rawValue: try row.requiredText(1)))
    }
  }

  private static let byName = SQLStatement(
    "SELECT id FROM scopes WHERE bundle_id = ? AND environment = ?")
  private static let byID = SQLStatement(
    "SELECT bundle_id, environment FROM scopes WHERE id = ?")
  private static let insert = SQLStatement(
    "INSERT INTO scopes (bundle_id, environment) VALUES (?, ?)")
}
