public import AppStoreModel

/// What every key of the ledger begins with: facts of different scopes never meet.
public struct Scope: Hashable, Sendable {
  public let realm: Realm
  public let bundleId: String
  public let environment: AppStoreEnvironment

  public init(realm: Realm, bundleId: String, environment: AppStoreEnvironment) {
    self.realm = realm
    self.bundleId = bundleId
    self.environment = environment
  }
}

/// Names one chain: all transactions of one `originalTransactionId`.
public struct ChainKey: Hashable, Sendable {
  public let scope: Scope
  public let originalTransactionId: String

  public init(scope: Scope, originalTransactionId: String) {
    self.scope = scope
    self.originalTransactionId = originalTransactionId
  }
}
