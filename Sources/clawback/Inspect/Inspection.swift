import AppStoreModel
import AppStoreVerification

/// What became of verifying one JWS.
struct Inspection {
  /// One proved payload.
  struct Part {
    let kind: SignedDataKind
    let judgedAt: Timestamp
    /// JSON text as it was signed.
    let payload: [UInt8]
  }

  enum Verdict {
    case accepted(outer: Part, inner: [Part], realm: Realm)
    case refused(VerificationError)
  }

  let kind: SignedDataKind
  let verdict: Verdict
  let explanation: String
  /// The app and the environment that the data is for; `nil` where it does not say.
  private(set) var bundleID: String?
  private(set) var environment: String?

  init(_ input: SignedInput, with verifier: SignedDataVerifier, now: Timestamp) {
    do throws(VerificationError) {
      switch input.kind {
      case .notification:
        self.init(try verifier.verifyNotification(input.jws, now: now))
      case .transaction:
        let document = try verifier.verifyTransaction(input.jws, now: now)
        self.init(document, .transaction, Explanation(transaction: document.payload))
        name(document.payload?.bundleId, document.payload?.environment)
      case .renewalInfo:
        let document = try verifier.verifyRenewalInfo(input.jws, now: now)
        self.init(document, .renewalInfo, Explanation(renewal: document.payload))
        name(nil, document.payload?.environment)
      case .appTransaction:
        let document = try verifier.verifyAppTransaction(input.jws, now: now)
        self.init(document, .appTransaction, Explanation())
        name(document.payload?.bundleId, document.payload?.receiptType)
      }
    } catch {
      self.init(refused: error, kind: input.kind)
    }
  }

  private init(refused error: VerificationError, kind: SignedDataKind) {
    self.kind = kind
    verdict = .refused(error)
    let place =
      error.part == kind ? "It was refused" : "It was refused for its \(error.part.rawValue)"
    explanation = "\(place): \(error.cause.explanation). \(error.advice)"
  }

  private init(_ notification: VerifiedNotification) {
    kind = .notification
    let inner = [
      notification.transaction.map { Part($0, .transaction) },
      notification.renewalInfo.map { Part($0, .renewalInfo) },
      notification.appTransaction.map { Part($0, .appTransaction) },
    ].compactMap { $0 }
    verdict = .accepted(
      outer: Part(notification.outer, .notification), inner: inner, realm: notification.realm)
    let payload = notification.outer.payload
    explanation =
      payload == nil
      ? Explanation.opaque
      : Explanation(
        notification: payload, transaction: notification.transaction?.payload,
        renewal: notification.renewalInfo?.payload
      ).text
    name(payload?.container.bundleID, payload?.container.environment)
  }

  private init<Payload>(
    _ document: SignedDocument<Payload>, _ kind: SignedDataKind, _ explanation: Explanation
  ) {
    self.kind = kind
    verdict = .accepted(outer: Part(document, kind), inner: [], realm: document.realm)
    self.explanation = document.payload == nil ? Explanation.opaque : explanation.text
  }

  private mutating func name(_ bundleID: String?, _ environment: AppStoreEnvironment?) {
    self.bundleID = bundleID
    self.environment = environment?.rawValue
  }
}

extension Inspection.Part {
  fileprivate init<Payload>(_ document: SignedDocument<Payload>, _ kind: SignedDataKind) {
    self.init(kind: kind, judgedAt: document.judgedAt, payload: document.text.payload)
  }
}

extension ResponseBodyV2DecodedPayload {
  /// The app and environment that whichever container is there names.
  fileprivate var container: (bundleID: String?, environment: AppStoreEnvironment?) {
    if let data { return (data.bundleId, data.environment) }
    if let summary { return (summary.bundleId, summary.environment) }
    if let appData { return (appData.bundleId, appData.environment) }
    guard let token = externalPurchaseToken else { return (nil, nil) }
    let isSandbox = token.externalPurchaseId?.hasPrefix("SANDBOX") ?? false
    return (token.bundleId, isSandbox ? .sandbox : .production)
  }
}
