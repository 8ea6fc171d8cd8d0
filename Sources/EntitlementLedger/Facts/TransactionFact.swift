public import AppStoreModel

/// A signed copy of a transaction that came alone.
public struct TransactionFact: Hashable, Sendable {
  public let scope: Scope
  public let channel: Channel
  public internal(set) var transaction: TransactionCopy

  /// Reads a signed transaction.
  ///
  /// - Parameters:
  ///   - transaction: The proved payload.
  ///   - channel: How it reached us.
  ///   - environment: That of the answer around it, for payloads that carry none.
  /// - Throws: ``UnusableFact`` when a member is missing that a decision needs.
  public init(
    _ transaction: Verified<JWSTransactionDecodedPayload>, channel: Channel,
    environment: AppStoreEnvironment? = nil
  ) throws(UnusableFact) {
    self.transaction = try TransactionCopy(transaction.payload)
    let around = Scope.Claim(realm: transaction.realm, bundleId: nil, environment: environment)
    scope = try Scope(agreedBy: [Scope.Claim(transaction), around])
    self.channel = channel
  }
}
