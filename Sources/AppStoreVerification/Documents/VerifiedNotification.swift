public import AppStoreModel

/// A notification with every JWS inside it, all of them verified.
public struct VerifiedNotification: Sendable {
  public let outer: SignedDocument<ResponseBodyV2DecodedPayload>
  /// From `data.signedTransactionInfo`.
  public let transaction: SignedDocument<JWSTransactionDecodedPayload>?
  /// From `data.signedRenewalInfo`; belongs to `transaction` where both are there.
  public let renewalInfo: SignedDocument<JWSRenewalInfoDecodedPayload>?
  /// From `appData.signedAppTransactionInfo`.
  public let appTransaction: SignedDocument<AppTransactionDecodedPayload>?
}

extension VerifiedNotification {
  public var realm: Realm { outer.realm }
}
