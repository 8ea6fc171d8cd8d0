import HTTPListener
import AppStoreModel
import AppStoreVerification
import EntitlementLedger
import LedgerStorage

/// Verifies what is posted and hands it to the writer.
final class Intake: Sendable {
  let verifier: SignedDataVerifier
  let ledger: Ledger
  let window: LiveWindow?
  private let clock: ServerClock
  private let metrics: Metrics
  private let log: Log
  private let unknownChains: RateLimiter
  private let waitingLimit: Int
  /// Forwards what arrives; `nil` where nobody wants it.
  private let forwarder: DeliveryKeeper?

  init(
    verifier: SignedDataVerifier, ledger: Ledger, window: LiveWindow?, clock: ServerClock,
    metrics: Metrics, log: Log, limits: Limits, forwarder: DeliveryKeeper? = nil
  ) {
    self.verifier = verifier
    self.ledger = ledger
    self.window = window
    self.clock = clock
    self.metrics = metrics
    self.log = log
    unknownChains = RateLimiter(perMinute: limits.unknownChainsPerMinute)
    waitingLimit = limits.requestsWaiting
    self.forwarder = forwarder
  }

  /// Takes a notification and completes once it is durable, or cannot be.
  func take(
    _ jws: [UInt8], in request: HTTPRequest, completion: @escaping Route.Completion
  ) {
    do throws(Problem) {
      try admit(jws, from: request.peer)
    } catch {
      return completion(.failure(error))
    }
    let now = clock.now()
    do throws(VerificationError) {
      let notification = try verifier.verifyNotification(jws, now: now)
      let delivery = Delivery(
        notification, channel: .notification, receivedAt: now,
        holding: window?.objection(to: notification.outer.judgedAt, at: now))
      record(delivery, from: forwarder == nil ? nil : Arrival(request, at: now), completion)
    } catch {
      refuse(jws, in: request, error, completion)
    }
  }

  private func record(
    _ delivery: Delivery, from arrival: Arrival?, _ completion: @escaping Route.Completion
  ) {
    ledger.write({ [metrics, self] (result: Result<DeliveryReceipt, StoreError>) in
      completion(
        result.mapError { Problem($0) }.map { receipt in
          metrics.count("notifications", receipt.outcome.rawValue)
          tell(of: [receipt])
          forwarder?.wake()
          return HTTPResponse(status: 200)
        })
    }) { (recorder) throws(StoreError) in
      if let arrival { return try recorder.record(delivery, from: arrival) }
      return try recorder.record(delivery)
    }
  }

  /// Writes a line for each thing that a person should look at.
  func tell(of receipts: [DeliveryReceipt]) {
    for receipt in receipts {
      for alert in receipt.alerts {
        log.write(
          LogLine(.warning, "alert").with("kind", alert.kind.rawValue).with("field", alert.field)
            .with("value", alert.value).with("factId", receipt.factID)
            .with("advice", "'clawback alerts list' says the next step."))
      }
    }
  }

  /// Keeps what was refused for the operator, and answers once it is kept.
  private func refuse(
    _ jws: [UInt8], in request: HTTPRequest, _ error: VerificationError,
    _ completion: @escaping Route.Completion
  ) {
    metrics.count("notifications", "refused")
    if error.isOriginProved { metrics.noteWrongOrigin(error.rule, at: clock.now()) }
    let problem = Problem(error)
    let isForwarded = forwarder != nil && error.isOriginProved
    let arrival = isForwarded ? Arrival(request, at: clock.now()) : nil
    keep(
      jws, isChainTrusted: error.isOriginProved, reason: error.description, forwarding: arrival
    ) { completion(.failure(problem)) }
  }

  /// Puts something into quarantine; under load, forgeries are let go.
  func keep(
    _ bytes: [UInt8], isChainTrusted: Bool, reason: String, forwarding arrival: Arrival? = nil,
    then: @escaping @Sendable () -> Void
  ) {
    if !isChainTrusted && ledger.store.waitingWrites > waitingLimit / 2 { return then() }
    let item = QuarantinedItem(
      bytes, isChainTrusted: isChainTrusted, sha256: Fingerprint(hashing: bytes).bytes,
      channel: Channel.notification.rawValue, reason: reason, receivedAt: clock.now())
    ledger.write({ (_: Result<Bool, StoreError>) in then() }) { (recorder) throws(StoreError) in
      let isNew = try recorder.quarantine(item)
      if isNew, let arrival { try recorder.keep(arrival) }
      return isNew
    }
  }

  /// Refuses a sender that has too many unknown chains checked: each costs as much as thirty others.
  func admit(_ jws: [UInt8], from peer: String) throws(Problem) {
    let isKnown = jws.withUnsafeBufferPointer { verifier.knowsChain(of: $0) }
    guard isKnown || unknownChains.admits(peer, at: clock.now()) else {
      throw Problem(.rateLimited, "Too many texts with an unknown certificate chain.")
        .with("Retry-After", "60")
    }
    guard ledger.store.waitingWrites < waitingLimit else { throw Problem(.overloaded) }
  }
}

extension Arrival {
  /// The body of a request, with its type as it was stated.
  fileprivate init(_ request: HTTPRequest, at now: Timestamp) {
    self.init(
      body: request.body, contentType: request.headers["content-type"] ?? "application/json",
      receivedAt: now)
  }
}
