package import AppStoreVerification
package import LedgerStorage

extension SignedRecord {
  /// The pieces of a notification, with everything that was signed inside it.
  package init(_ notification: VerifiedNotification) {
    let parts = [
      notification.transaction.map { SignedRecord($0, .transaction) },
      notification.renewalInfo.map { SignedRecord($0, .renewalInfo) },
      notification.appTransaction.map { SignedRecord($0, .appTransaction) },
    ]
    self.init(notification.outer, .notification, parts: parts.compactMap { $0 })
  }

  package init<Payload>(
    _ document: SignedDocument<Payload>, _ kind: Kind, parts: [SignedRecord] = []
  ) {
    self.init(
      kind: kind, headerSegment: document.text.header.segment,
      headerSHA256: document.text.header.sha256, payload: document.text.payload,
      signature: document.text.signature, judgedAt: document.judgedAt, parts: parts)
  }
}
