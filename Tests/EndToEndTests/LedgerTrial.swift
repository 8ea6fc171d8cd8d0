import AppStoreModel
import AppStoreSimulator
import AppStoreVerification
import EntitlementLedger
import LedgerServer
import LedgerStorage
import SQLiteStorage

/// A kept ledger, in memory, that takes what a simulated App Store signs.
final class LedgerTrial {
  let authority: CertificateAuthority
  let scope: Scope
  private let verifier: SignedDataVerifier
  private let ledger: Ledger
  private let reader: LedgerReader

  init(seed: UInt64, app: SimulatedApp = SimulatedApp()) throws {
    authority = CertificateAuthority(seed: seed)
    let root = try TrustedRoot(certificate: authority.root.der)
    verifier = try SignedDataVerifier(
      roots: [root],
      allowed: AllowedOrigins(
        apps: [ExpectedApp(bundleID: app.bundleId, appAppleID: app.appAppleId)],
        environments: [.sandbox, .production]))
    scope = Scope(realm: root.realm, bundleId: app.bundleId, environment: app.environment)
    let store = try SQLiteStore(
      .memory, realm: root.realm, now: Timestamp(millisecondsSince1970: 0))
    ledger = Ledger(store: store)
    reader = try ledger.makeReader()
  }

  /// Takes notifications; one that the verifier refuses leaves nothing.
  ///
  /// - Returns: how many were refused.
  @discardableResult
  func take(_ signedPayloads: [String], at now: Timestamp) throws -> Int {
    var deliveries: [Delivery] = []
    for payload in signedPayloads {
      guard let proved = try? verifier.verifyNotification(Array(payload.utf8), now: now) else {
        continue
      }
      deliveries.append(Delivery(proved, channel: .notification, receivedAt: now))
    }
    let taken = deliveries
    _ = try ledger.wait { ledger.record(taken, completion: $0) }
    return signedPayloads.count - deliveries.count
  }

  func record(_ deliveries: [Delivery]) throws {
    _ = try ledger.wait { ledger.record(deliveries, completion: $0) }
  }

  func decision(
    _ entitlement: String, of customer: Customer?, at now: Timestamp
  ) throws -> Decision {
    try state(of: customer, at: now).decision(on: entitlement)
  }

  /// All decisions about one customer; nobody stands for one of whom nothing is known.
  func state(of customer: Customer?, at now: Timestamp) throws -> CustomerState {
    try reader.answer(of: key(of: customer), now: now)
  }

  /// What the ledger says was so at a moment of the past.
  func state(of customer: Customer, asOf moment: Timestamp) throws -> CustomerState {
    try reader.answer(of: key(of: customer), at: moment)
  }

  /// What was given back and stayed back, by currency.
  func refunded() throws -> [Currency: Int64] {
    let scope = scope
    let listed = try reader.read { (recorder) throws(StoreError) in
      try recorder.refunds(in: scope, afterChain: 0, limit: 100_000).refunds
    }
    return listed.compactMap(\.refund.netRefund).reduce(into: [:]) { sums, money in
      if money.milliunits != 0 { sums[money.currency, default: 0] += money.milliunits }
    }
  }

  /// The same of some chains only.
  func refunded(ofChains ids: Set<String>) throws -> [Currency: Int64] {
    var sums: [Currency: Int64] = [:]
    for id in ids {
      let chain = try reader.chain(ChainKey(scope: scope, originalTransactionId: id))
      for money in (chain?.refundEntries() ?? []).compactMap(\.netRefund)
      where money.milliunits != 0 {
        sums[money.currency, default: 0] += money.milliunits
      }
    }
    return sums
  }

  func digest() throws -> String { try reader.digest() }

  private func key(of customer: Customer?) -> CustomerKey {
    let name = customer?.appAccountToken.flatMap { CustomerID($0) }
    let account = customer?.appTransactionId ?? "nobody"
    return CustomerKey(scope: scope, id: name ?? .anonymous(appTransactionId: account))
  }
}
