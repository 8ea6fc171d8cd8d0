import AppStoreModel
import EntitlementLedger

/// Reads facts back from payloads that were verified before they were stored.
struct RestoredFact {
  let scope: Scope
  let channel: Channel

  func fact(of record: SignedRecord) -> LedgerFact? {
    switch record.kind {
    case .notification: notification(record)
    case .transaction:
      verified(record, JWSTransactionDecodedPayload.init(json:)).flatMap { (payload) in
        try? .transaction(
          TransactionFact(payload, channel: channel, environment: scope.environment))
      }
    case .renewalInfo:
      verified(record, JWSRenewalInfoDecodedPayload.init(json:)).flatMap { (payload) in
        try? .renewal(
          RenewalFact(
            payload, bundleId: scope.bundleId, channel: channel, environment: scope.environment))
      }
    case .appTransaction: nil
    }
  }

  func reportedStatus(_ json: [UInt8], _ parts: [SignedRecord]) -> LedgerFact? {
    guard let number = (try? JSONValue(json: json))?["status"]?.integer,
      let transaction = transaction(in: parts)
    else { return nil }
    let status = SubscriptionStatus(rawValue: Int32(clamping: number))
    return
      (try? ReportedStatus(
        status, transaction: transaction, renewal: renewal(in: parts), channel: channel,
        environment: scope.environment)).map { .status($0) }
  }

  private func notification(_ record: SignedRecord) -> LedgerFact? {
    guard let outer = verified(record, ResponseBodyV2DecodedPayload.init(json:)) else {
      return nil
    }
    return try? LedgerFact.from(
      outer, transaction: transaction(in: record.parts), renewal: renewal(in: record.parts),
      channel: channel)
  }

  private func transaction(in parts: [SignedRecord]) -> Verified<JWSTransactionDecodedPayload>? {
    parts.first { $0.kind == .transaction }
      .flatMap { verified($0, JWSTransactionDecodedPayload.init(json:)) }
  }

  private func renewal(in parts: [SignedRecord]) -> Verified<JWSRenewalInfoDecodedPayload>? {
    parts.first { $0.kind == .renewalInfo }
      .flatMap { verified($0, JWSRenewalInfoDecodedPayload.init(json:)) }
  }

  private func verified<Payload: Sendable>(
    _ record: SignedRecord,
    _ read: (UnsafeBufferPointer<UInt8>) throws(MalformedPayload) -> Payload
  ) -> Verified<Payload>? {
    let payload = record.payload.withUnsafeBufferPointer { bytes in
      try? read(bytes)
    }
    return payload.map {
      Verified(restoring: $0, realm: scope.realm, judgedAt: record.judgedAt)
    }
  }
}
