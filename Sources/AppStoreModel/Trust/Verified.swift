/// A payload whose signature and origin have been proved.
///
/// Only the verifier and the client kit can make one (the initializer is for this package's
/// targets alone), and the ledger accepts nothing weaker.
public struct Verified<Payload: Sendable>: Sendable {
  public let payload: Payload
  public let realm: Realm
  /// The moment the signing chain was judged at.
  public let judgedAt: Timestamp

  package init(proved payload: Payload, realm: Realm, judgedAt: Timestamp) {
    self.payload = payload
    self.realm = realm
    self.judgedAt = judgedAt
  }

  /// Takes back what was verified before it was stored: only a store may call this.
  package init(restoring payload: Payload, realm: Realm, judgedAt: Timestamp) {
    self.payload = payload
    self.realm = realm
    self.judgedAt = judgedAt
  }
}
