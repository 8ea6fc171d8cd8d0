public import AppStoreModel

extension SignedDataVerifier {
  /// Verifies a notification and every JWS inside it.
  ///
  /// Shape: `jws` is the compact form, without white space around it; `now` is the moment to judge
  /// at when neither the payload nor the transaction inside it has a date.
  public func verifyNotification(
    _ jws: UnsafeBufferPointer<UInt8>, now: Timestamp
  ) throws(VerificationError) -> VerifiedNotification {
    let outer = try prove(jws, as: ResponseBodyV2DecodedPayload.self, .alone, now: now)
    guard let payload = outer.payload else {
      return VerifiedNotification(
        outer: outer, transaction: nil, renewalInfo: nil, appTransaction: nil)
    }
    do throws(VerificationError) {
      return try inside(payload, of: outer, now: now)
    } catch {
      throw error.afterOrigin()
    }
  }

  /// Verifies a transaction that stands alone.
  public func verifyTransaction(
    _ jws: UnsafeBufferPointer<UInt8>, now: Timestamp
  ) throws(VerificationError) -> SignedDocument<JWSTransactionDecodedPayload> {
    try prove(jws, as: JWSTransactionDecodedPayload.self, .alone, now: now)
  }

  /// Verifies a renewal; it names no app, so give the transaction that it should belong to.
  public func verifyRenewalInfo(
    _ jws: UnsafeBufferPointer<UInt8>,
    of transaction: SignedDocument<JWSTransactionDecodedPayload>? = nil, now: Timestamp
  ) throws(VerificationError) -> SignedDocument<JWSRenewalInfoDecodedPayload> {
    let renewal = try prove(jws, as: JWSRenewalInfoDecodedPayload.self, .alone, now: now)
    if let transaction { try checkBinding(of: renewal, to: transaction) }
    return renewal
  }

  /// Verifies an app transaction that stands alone.
  public func verifyAppTransaction(
    _ jws: UnsafeBufferPointer<UInt8>, now: Timestamp
  ) throws(VerificationError) -> SignedDocument<AppTransactionDecodedPayload> {
    try prove(jws, as: AppTransactionDecodedPayload.self, .alone, now: now)
  }
}

extension SignedDataVerifier {
  public func verifyNotification(
    _ jws: [UInt8], now: Timestamp
  ) throws(VerificationError) -> VerifiedNotification {
    try jws.withUnsafeBufferPointer { (jws) throws(VerificationError) in
      try verifyNotification(jws, now: now)
    }
  }

  public func verifyTransaction(
    _ jws: [UInt8], now: Timestamp
  ) throws(VerificationError) -> SignedDocument<JWSTransactionDecodedPayload> {
    try jws.withUnsafeBufferPointer { (jws) throws(VerificationError) in
      try verifyTransaction(jws, now: now)
    }
  }

  public func verifyRenewalInfo(
    _ jws: [UInt8], of transaction: SignedDocument<JWSTransactionDecodedPayload>? = nil,
    now: Timestamp
  ) throws(VerificationError) -> SignedDocument<JWSRenewalInfoDecodedPayload> {
    try jws.withUnsafeBufferPointer { (jws) throws(VerificationError) in
      try verifyRenewalInfo(jws, of: transaction, now: now)
    }
  }

  public func verifyAppTransaction(
    _ jws: [UInt8], now: Timestamp
  ) throws(VerificationError) -> SignedDocument<AppTransactionDecodedPayload> {
    try jws.withUnsafeBufferPointer { (jws) throws(VerificationError) in
      try verifyAppTransaction(jws, now: now)
    }
  }
}
