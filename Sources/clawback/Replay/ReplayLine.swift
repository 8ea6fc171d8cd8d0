import AppStoreModel
import AppStoreVerification
import EntitlementLedger
import LedgerServer
import LedgerStorage

/// One line of an archive, read and verified: what the ledger is to do with it.
struct ReplayLine: Sendable {
  /// What became of a line: of several, the first that is true of a part of it.
  enum Outcome: Sendable {
    case quarantined(reason: String)
    case stored
    case repeated
  }

  private var deliveries: [LedgerStorage.Delivery] = []
  private var refused: QuarantinedItem?

  /// Reads and verifies a line.
  ///
  /// What is no notification is taken as if a device had sent it, which proves the least: an archive
  /// does not tell where it had it from. What is genuine beside something refused is kept.
  ///
  /// - Parameters:
  ///   - text: A JWS, or an object that holds one or several.
  ///   - verifier: Says which roots, apps and environments are taken.
  ///   - app: The only app that there can be, or `nil`: renewal information names none itself.
  ///   - now: The moment of receipt.
  init(_ text: [UInt8], with verifier: SignedDataVerifier, app: String?, now: Timestamp) {
    do throws(SignedInput.Unusable) {
      let reading = Reading(verifier: verifier, now: now)
      var app = app
      for input in try SignedInput.all(in: text).sorted(by: ReplayLine.namesTheApp) {
        do throws(VerificationError) {
          deliveries.append(try reading.delivery(input, app: &app))
        } catch {
          refuse(text, isChainTrusted: error.isOriginProved, error.rule, now)
        }
      }
    } catch {
      refuse(text, isChainTrusted: false, "form.line", now)
    }
  }

  /// Renewal information comes last: the transaction beside it names the app of both.
  private static func namesTheApp(_ one: SignedInput, _ other: SignedInput) -> Bool {
    one.kind != .renewalInfo && other.kind == .renewalInfo
  }

  private mutating func refuse(
    _ text: [UInt8], isChainTrusted: Bool, _ reason: String, _ now: Timestamp
  ) {
    guard refused == nil else { return }
    refused = QuarantinedItem(
      text, isChainTrusted: isChainTrusted, sha256: Fingerprint(hashing: text).bytes,
      channel: "replay", reason: reason, receivedAt: now)
  }

  /// Carries it out, in the transaction of the recorder.
  func record(with recorder: Recorder) throws(StoreError) -> Outcome {
    var outcome = Outcome.repeated
    for delivery in deliveries where try recorder.record(delivery).outcome != .repeated {
      outcome = .stored
    }
    if let refused, try recorder.quarantine(refused) {
      outcome = .quarantined(reason: refused.reason)
    }
    return outcome
  }
}

extension ReplayLine {
  private struct Reading {
    let verifier: SignedDataVerifier
    let now: Timestamp

    func delivery(
      _ input: SignedInput, app: inout String?
    ) throws(VerificationError) -> LedgerStorage.Delivery {
      switch input.kind {
      case .notification:
        return LedgerStorage.Delivery(
          try verifier.verifyNotification(input.jws, now: now), channel: .notification,
          receivedAt: now)
      case .transaction:
        let transaction = try verifier.verifyTransaction(input.jws, now: now)
        app = app ?? transaction.payload?.bundleId
        return LedgerStorage.Delivery(transaction, channel: .device, receivedAt: now)
      case .renewalInfo:
        return LedgerStorage.Delivery(
          try verifier.verifyRenewalInfo(input.jws, now: now), bundleId: app, channel: .device,
          receivedAt: now)
      case .appTransaction:
        return LedgerStorage.Delivery(
          try verifier.verifyAppTransaction(input.jws, now: now), channel: .device, receivedAt: now)
      }
    }
  }
}
