import AppStoreModel

/// What the verifier must know of each kind of payload.
protocol SignedPayload: Sendable {
  static var kind: SignedDataKind { get }

  init(json: UnsafeBufferPointer<UInt8>) throws(MalformedPayload)

  /// The date that the certificates are judged at, as the payload itself says it.
  var signingDate: Timestamp? { get }
  /// That date for a payload without one of its own, from a JWS inside it.
  var innerSigningDate: Timestamp? { get }
  var claimedOrigins: [ClaimedOrigin] { get }
}

extension SignedPayload {
  var innerSigningDate: Timestamp? { nil }
}

extension ResponseBodyV2DecodedPayload: SignedPayload {
  static var kind: SignedDataKind { .notification }
  var signingDate: Timestamp? { signedDate }
  var innerSigningDate: Timestamp? {
    data?.signedTransactionInfo.flatMap { SigningDate(insideCompactForm: $0)?.moment }
  }
}

extension JWSTransactionDecodedPayload: SignedPayload {
  static var kind: SignedDataKind { .transaction }
  var signingDate: Timestamp? { signedDate }
  var claimedOrigins: [ClaimedOrigin] { [claimedOrigin] }
}

extension JWSRenewalInfoDecodedPayload: SignedPayload {
  static var kind: SignedDataKind { .renewalInfo }
  var signingDate: Timestamp? { signedDate }
  var claimedOrigins: [ClaimedOrigin] { [claimedOrigin] }
}

extension AppTransactionDecodedPayload: SignedPayload {
  static var kind: SignedDataKind { .appTransaction }
  var signingDate: Timestamp? { receiptCreationDate }
  var claimedOrigins: [ClaimedOrigin] { [claimedOrigin] }
}
