import AppStoreModel
import AppStoreVerification
import EntitlementLedger
import LedgerServer
import LedgerStorage

/// One line of an archive, read and verified: what the ledger is to do with it.
enum ReplayItem: Sendable {
  case delivery(LedgerStorage.Delivery)
  case refused(QuarantinedItem)

  enum Outcome: Sendable {
    case stored
    case repeated
    case quarantined(reason: String)
  }

  /// Reads and verifies a line.
  ///
  /// A line that is no notification is taken as if a device had sent it, which proves the least:
  /// an archive does not tell where it had it from. `app` is the only app there can be, or `nil`.
  init(line: [UInt8], with verifier: SignedDataVerifier, app: String?, now: Timestamp) {
    do throws(SignedInput.Unusable) {
      let input = try SignedInput(text: line)
      do throws(VerificationError) {
        self = .delivery(try ReplayItem.delivery(input, verifier, app, now))
      } catch {
        self = ReplayItem.refused(
          line, isChainTrusted: error.isOriginProved, error.rule, now)
      }
    } catch {
      self = ReplayItem.refused(line, isChainTrusted: false, "form.line", now)
    }
  }

  private static func delivery(
    _ input: SignedInput, _ verifier: SignedDataVerifier, _ app: String?, _ now: Timestamp
  ) throws(VerificationError) -> LedgerStorage.Delivery {
    switch input.kind {
    case .notification:
      LedgerStorage.Delivery(
        try verifier.verifyNotification(input.jws, now: now), channel: .notification,
        receivedAt: now)
    case .transaction:
      LedgerStorage.Delivery(
        try verifier.verifyTransaction(input.jws, now: now), channel: .device, receivedAt: now)
    case .renewalInfo:
      LedgerStorage.Delivery(
        try verifier.verifyRenewalInfo(input.jws, now: now), bundleId: app, channel: .device,
        receivedAt: now)
    case .appTransaction:
      LedgerStorage.Delivery(
        try verifier.verifyAppTransaction(input.jws, now: now), channel: .device, receivedAt: now)
    }
  }

  private static func refused(
    _ line: [UInt8], isChainTrusted: Bool, _ reason: String, _ now: Timestamp
  ) -> ReplayItem {
    .refused(
      QuarantinedItem(
        line, isChainTrusted: isChainTrusted, sha256: Fingerprint(hashing: line).bytes,
        channel: "replay", reason: reason, receivedAt: now))
  }

  /// Carries it out, in the transaction of the recorder.
  func record(with recorder: Recorder) throws(StoreError) -> Outcome {
    switch self {
    case .delivery(let delivery):
      try recorder.record(delivery).outcome == .repeated ? .repeated : .stored
    case .refused(let item):
      try recorder.quarantine(item) ? .quarantined(reason: item.reason) : .repeated
    }
  }
}
