import AppStoreModel
import EntitlementLedger

/// The ledger under test, in memory: its chains by `originalTransactionId`.
struct RealLedger {
  private(set) var chains: [String: Chain] = [:]

  init(_ facts: [LedgerFact]) {
    for fact in facts { take(fact) }
  }

  mutating func take(_ fact: LedgerFact) {
    for key in fact.chains {
      _ = chains[key.originalTransactionId, default: Chain(key: key)].join(fact)
    }
  }
}

extension RealLedger {
  /// What the whole of it hashes to, whatever order its facts came in.
  var digest: String {
    let moments = chains.values.flatMap { chain in
      chain.statuses.values.map(\.date) + chain.transactions.values.map(\.newest.signedDate)
    }
    var digest = LedgerDigest(at: moments.max() ?? .distantPast)
    for chain in chains.values { digest.add(chain, catalog: LedgerComparison.catalog) }
    return digest.hexadecimal
  }
}

extension RealLedger {
  /// Rule 8: the union over the chains.
  func isGranted(at now: Timestamp) -> Bool {
    reasons(at: now).contains { $0.verdict == .granted }
  }

  func reasons(at now: Timestamp) -> [DecisionReason] {
    chains.values.flatMap { $0.answer(at: now).products.map(\.reason) }
  }

  /// Milliunits that went back and stayed back, one for each refund.
  var debits: [Int64] {
    chains.values.flatMap { $0.refundEntries() }.compactMap { $0.netRefund?.milliunits }
      .filter { $0 != 0 }
  }
}
