package import AppStoreModel

/// Puts signatures under what the simulated App Store says.
package struct NotificationSigner: Sendable {
  private let signer: JWSSigner

  package init(_ signer: JWSSigner) {
    self.signer = signer
  }

  /// Shape: a compact JWS whose object holds what is signed inside it.
  package func sign(_ notification: UnsignedNotification) -> String {
    guard let forgery = notification.forgery else { return signHonestly(notification) }
    return Forger(seed: signer.seed ?? 0, forgery).sign(notification)
  }

  func signHonestly(
    _ notification: UnsignedNotification, _ form: SignatureForm = .raw
  ) -> String {
    let alterations = notification.alterations
    var payload = notification.payload
    payload.data?.signedTransactionInfo = notification.transaction.map {
      signer.sign(Alterations.apply(alterations.transaction, to: $0.json()))
    }
    payload.data?.signedRenewalInfo = notification.renewal.map {
      signer.sign(Alterations.apply(alterations.renewal, to: $0.json()))
    }
    payload.appData?.signedAppTransactionInfo = notification.appTransaction.map(sign)
    return signer.sign(outer(payload, alterations), form)
  }

  private func outer(
    _ payload: ResponseBodyV2DecodedPayload, _ alterations: Alterations
  ) -> [UInt8] {
    var members = alterations.outer
    if let data = payload.data, !alterations.data.isEmpty,
      let altered = try? JSONValue(json: Alterations.apply(alterations.data, to: data.written()))
    {
      members.append(JSONValue.Member("data", altered))
    }
    return Alterations.apply(members, to: payload.json())
  }

  /// Shape: a compact JWS.
  package func sign(_ transaction: JWSTransactionDecodedPayload) -> String {
    signer.sign(transaction.json())
  }

  /// Shape: a compact JWS.
  package func sign(_ renewal: JWSRenewalInfoDecodedPayload) -> String {
    signer.sign(renewal.json())
  }

  /// Shape: a compact JWS.
  package func sign(_ appTransaction: AppTransactionDecodedPayload) -> String {
    signer.sign(appTransaction.json())
  }
}
