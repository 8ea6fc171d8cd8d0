public import AppStoreModel

/// A signed copy of a subscription's renewal information that came alone.
public struct RenewalFact: Hashable, Sendable {
  public let scope: Scope
  public let channel: Channel
  public internal(set) var renewal: RenewalCopy

  /// Reads signed renewal information, which names no app itself.
  ///
  /// - Parameters:
  ///   - renewal: The proved payload.
  ///   - bundleId: The app it was reported for.
  ///   - channel: How it reached us.
  ///   - environment: That of the answer around it, for payloads that carry none.
  /// - Throws: ``UnusableFact`` when a member is missing that a decision needs.
  public init(
    _ renewal: Verified<JWSRenewalInfoDecodedPayload>, bundleId: String, channel: Channel,
    environment: AppStoreEnvironment? = nil
  ) throws(UnusableFact) {
    self.renewal = try RenewalCopy(renewal.payload)
    let around = Scope.Claim(realm: renewal.realm, bundleId: bundleId, environment: environment)
    scope = try Scope(agreedBy: [around, Scope.Claim(renewal)])
    self.channel = channel
  }
}
