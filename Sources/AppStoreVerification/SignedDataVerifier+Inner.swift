import AppStoreModel

extension SignedDataVerifier {
  /// Verifies what stands inside a notification whose own JWS is proved.
  func inside(
    _ payload: ResponseBodyV2DecodedPayload,
    of outer: SignedDocument<ResponseBodyV2DecodedPayload>, now: Timestamp
  ) throws(VerificationError) -> VerifiedNotification {
    let transaction = try prove(
      payload.data?.signedTransactionInfo, as: JWSTransactionDecodedPayload.self,
      inside: payload.data?.claimedOrigin, of: outer, now: now)
    let renewal = try prove(
      payload.data?.signedRenewalInfo, as: JWSRenewalInfoDecodedPayload.self,
      inside: payload.data?.claimedOrigin, of: outer, now: now)
    if let transaction, let renewal { try checkBinding(of: renewal, to: transaction) }
    let appTransaction = try prove(
      payload.appData?.signedAppTransactionInfo, as: AppTransactionDecodedPayload.self,
      inside: payload.appData?.claimedOrigin, of: outer, now: now)
    return VerifiedNotification(
      outer: outer, transaction: transaction, renewalInfo: renewal, appTransaction: appTransaction)
  }

  /// A renewal names no app: only the transaction beside it tells whose it is.
  func checkBinding(
    of renewal: SignedDocument<JWSRenewalInfoDecodedPayload>,
    to transaction: SignedDocument<JWSTransactionDecodedPayload>
  ) throws(VerificationError) {
    guard let mine = renewal.payload, let other = transaction.payload else { return }
    guard mine.originalTransactionId == other.originalTransactionId else {
      throw VerificationError(.binding, in: .renewalInfo)
    }
  }

  private func prove<Payload: SignedPayload>(
    _ text: String?, as type: Payload.Type, inside container: ClaimedOrigin?,
    of outer: SignedDocument<ResponseBodyV2DecodedPayload>, now: Timestamp
  ) throws(VerificationError) -> SignedDocument<Payload>? {
    guard var text, let container else { return nil }
    let context = Context.inside(container, realm: outer.realm)
    let result = text.withUTF8 { bytes in
      Result<SignedDocument<Payload>, VerificationError> { () throws(VerificationError) in
        try prove(bytes, as: type, context, now: now)
      }
    }
    return try result.get()
  }
}
