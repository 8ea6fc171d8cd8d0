import HTTPListener
import AppStoreModel
import AppStoreVerification
import EntitlementLedger
import LedgerStorage

/// Signed transactions from devices and backends.
struct ReportRoutes {
  /// What became of one item: what a device may be told, and no more.
  private enum Item {
    case refused(String)
    case taken(Delivery, originalTransactionId: String?)
  }

  let intake: Intake
  let pool: WorkerPool
  let clock: ServerClock
  let limits: Limits
  let perAddress: RateLimiter
  let perAppTransaction: RateLimiter

  init(intake: Intake, pool: WorkerPool, clock: ServerClock, limits: Limits) {
    self.intake = intake
    self.pool = pool
    self.clock = clock
    self.limits = limits
    perAddress = RateLimiter(perMinute: limits.deviceRequestsPerMinute)
    perAppTransaction = RateLimiter(perMinute: limits.deviceRequestsPerMinute * limits.deviceItems)
  }

  var routes: [Route] {
    [
      Route.write(
        "POST", "/v1/transactions", .keys([.device, .spend, .admin]),
        .members("signedTransactions", "signedRenewals", "customer", "appVersion")
      ) {
        [self] call, completion throws(Problem) in
        let report = try Report(call, limits: limits)
        let scope = try call.scope()
        if call.key?.scope == .device, !perAddress.admits(call.request.peer, at: clock.now()) {
          throw Problem(.rateLimited).with("Retry-After", "60")
        }
        let isQueued = pool.submit { take(report, scope, call, completion) }
        guard isQueued else { throw Problem(.overloaded) }
      }
    ].reading(.app)
  }

  private func take(
    _ report: Report, _ scope: Scope, _ call: Call, _ completion: @escaping Route.Completion
  ) {
    let now = clock.now()
    let items =
      report.transactions.map { transaction($0, scope, call, now) }
      + report.renewals.map { renewal($0, scope, call, now) }
    let deliveries = items.compactMap { item in
      if case .taken(let delivery, _) = item { delivery } else { nil }
    }
    let chains = items.compactMap { item in
      if case .taken(_, let chain) = item { chain } else { nil }
    }
    intake.ledger.write { (result: Result<Stored, StoreError>) in
      if case .success(let stored) = result { intake.tell(of: stored.receipts) }
      completion(
        result.mapError { Problem($0) }.map { ReportRoutes.answer(items, $0) })
    } _: { (recorder) throws(StoreError) in
      let receipts = try deliveries.map { (delivery) throws(StoreError) in
        let receipt = try recorder.record(delivery)
        if let version = report.appVersion, case .applied(let fact) = delivery.effect {
          try recorder.noteVersion(version, of: fact, at: now)
        }
        return receipt
      }
      guard let customer = report.customer else { return Stored(receipts: receipts, link: nil) }
      let key = CustomerKey(scope: scope, id: customer)
      var isLinked = true
      for chain in Set(chains).sorted() {
        let outcome = try recorder.link(chain, to: key, note: nil, now: now)
        if case .refused = outcome { isLinked = false }
      }
      return Stored(receipts: receipts, link: isLinked ? "linked" : "ownedByAnother")
    }
  }

  private struct Stored: Sendable {
    let receipts: [DeliveryReceipt]
    let link: String?
  }

  private func transaction(
    _ jws: [UInt8], _ scope: Scope, _ call: Call, _ now: Timestamp
  ) -> Item {
    do throws(Problem) {
      try intake.admit(jws, from: call.request.peer)
      let document = try verified { () throws(VerificationError) in
        try intake.verifier.verifyTransaction(jws, now: now)
      }
      try checkOrigin(document.payload?.bundleId, document.payload?.environment, scope)
      if let account = document.payload?.appTransactionId,
        !perAppTransaction.admits(account, at: now)
      {
        return .refused(ProblemCode.rateLimited.rawValue)
      }
      let payload = document.payload
      return .taken(
        Delivery(document, channel: .device, receivedAt: now),
        originalTransactionId: payload?.originalTransactionId ?? payload?.transactionId)
    } catch {
      // Renewal information names no app, so that as a transaction it fails for that.
      let isOther = error.code == .wrongOrigin && SignedKind(ofUnverified: jws) == .renewalInfo
      return .refused(isOther ? Self.otherKind : error.rule ?? error.code.rawValue)
    }
  }

  private func renewal(_ jws: [UInt8], _ scope: Scope, _ call: Call, _ now: Timestamp) -> Item {
    do throws(Problem) {
      try intake.admit(jws, from: call.request.peer)
      let document = try verified { () throws(VerificationError) in
        try intake.verifier.verifyRenewalInfo(jws, now: now)
      }
      guard SignedKind(of: document.text) != .transaction else { return .refused(Self.otherKind) }
      try checkOrigin(scope.bundleId, document.payload?.environment, scope)
      return .taken(
        Delivery(document, bundleId: scope.bundleId, channel: .device, receivedAt: now),
        originalTransactionId: nil)
    } catch {
      return .refused(error.rule ?? error.code.rawValue)
    }
  }

  /// The reason for an item that is signed, and is not what its list is for.
  private static let otherKind = "otherKind"

  private func verified<Value>(
    _ body: () throws(VerificationError) -> Value
  ) throws(Problem) -> Value {
    do throws(VerificationError) {
      return try body()
    } catch {
      throw Problem(error)
    }
  }

  /// A key reports for its own app and environment only.
  private func checkOrigin(
    _ bundleId: String?, _ environment: AppStoreEnvironment?, _ scope: Scope
  ) throws(Problem) {
    if let bundleId, bundleId != scope.bundleId { throw Problem(.appForbidden) }
    if let environment, environment != scope.environment { throw Problem(.environmentForbidden) }
  }

  private static func answer(_ items: [Item], _ stored: Stored) -> HTTPResponse {
    var receipts = stored.receipts[...]
    var writer = JSONWriter()
    writer.object { writer in
      writer.name("results")
      writer.array { writer in
        for item in items {
          writer.object { writer in
            switch item {
            case .refused(let reason):
              writer.member("result", "refused")
              writer.member("reason", reason)
            case .taken:
              let isRepeat = receipts.popFirst()?.outcome == .repeated
              writer.member("result", isRepeat ? "repeated" : "stored")
            }
          }
        }
      }
      writer.member("link", stored.link)
    }
    return .json(writer.bytes)
  }
}
