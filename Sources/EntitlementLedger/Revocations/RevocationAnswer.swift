public import AppStoreModel

/// What has become of one revocation: lists and reports are made of these.
public struct RevocationAnswer: Hashable, Sendable {
  public let revocation: Revocation
  public let revocationClass: RevocationClass
  public let ownership: InAppOwnershipType?
  /// When it was undone; `nil` while it stands.
  ///
  /// Where only a later revocation proves that it was undone, the date of that one.
  public let reversedAt: Timestamp?
  /// What the copies of the transaction say was paid.
  public let price: Money?

  public var key: RevocationKey { revocation.key }

  public var stands: Bool { reversedAt == nil }

  /// Whether money went back: never on the word of a REVOKE, never for what was not bought.
  public var isRefund: Bool {
    revocationClass.isRefund && ownership == .purchased
      && (revocation.refundSeen || !revocation.revokeSeen)
  }

  /// Whether it ends access while it stands; a move to a bundle alone does not.
  var endsAccess: Bool { stands && revocationClass != .bundleMove }
}
