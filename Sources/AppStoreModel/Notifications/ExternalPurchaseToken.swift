/// A token for purchases outside the App Store.
///
/// Every member is optional here: what is required is settled when a fact is made of it.
///
/// Source: Apple's `externalPurchaseToken` object.
public struct ExternalPurchaseToken: Hashable, Sendable {
  /// Begins with `SANDBOX` in the sandbox.
  public var externalPurchaseId: String?
  public var tokenCreationDate: Timestamp?
  public var appAppleId: Int64?
  public var bundleId: String?
  public var tokenType: ExternalPurchaseTokenType?
  public var tokenExpirationDate: Timestamp?
  public var unknownMembers = UnknownMembers()

  public init() {}
}

extension ExternalPurchaseToken: JSONPayload {
  package static let members = MemberTable<ExternalPurchaseToken>([
    .text("externalPurchaseId", { $0.externalPurchaseId }, { $0.externalPurchaseId = $1 }),
    .moment("tokenCreationDate", { $0.tokenCreationDate }, { $0.tokenCreationDate = $1 }),
    .int64("appAppleId", { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("bundleId", { $0.bundleId }, { $0.bundleId = $1 }),
    .word("tokenType", { $0.tokenType }, { $0.tokenType = $1 }),
    .moment("tokenExpirationDate", { $0.tokenExpirationDate }, { $0.tokenExpirationDate = $1 }),
  ])
}
