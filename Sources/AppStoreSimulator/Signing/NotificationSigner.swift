package import AppStoreModel

/// Puts signatures under what the simulated App Store says.
package struct NotificationSigner: Sendable {
  private let signer: JWSSigner

  package init(_ signer: JWSSigner) {
    self.signer = signer
  }

  /// Shape: a compact JWS whose `data` holds the signed transaction and renewal.
  package func sign(_ notification: UnsignedNotification) -> String {
    var payload = notification.payload
    payload.data?.signedTransactionInfo = notification.transaction.map(sign)
    payload.data?.signedRenewalInfo = notification.renewal.map(sign)
    return signer.sign(payload.json())
  }

  /// Shape: a compact JWS.
  package func sign(_ transaction: JWSTransactionDecodedPayload) -> String {
    signer.sign(transaction.json())
  }

  /// Shape: a compact JWS.
  package func sign(_ renewal: JWSRenewalInfoDecodedPayload) -> String {
    signer.sign(renewal.json())
  }
}
