public import AppStoreModel

/// One hash over everything that a ledger knows and answers, the same for any order of its facts.
///
/// Its lines are described in `docs/contracts/digest.md`.
public struct LedgerDigest: Sendable {
  /// The latest signed date of any accepted fact.
  public let moment: Timestamp

  private let fingerprint: @Sendable ([UInt8]) -> Fingerprint
  private var lines: [[UInt8]] = []
  private var refunded: [MoneyKey: Int64] = [:]

  private struct MoneyKey: Hashable {
    let scope: Scope
    let currency: Currency
  }

  public init(at moment: Timestamp) {
    self.init(at: moment, hashing: Fingerprint.init(of:))
  }

  /// Computes with another implementation of SHA-256: a large ledger has gigabytes of lines.
  package init(at moment: Timestamp, hashing: @escaping @Sendable ([UInt8]) -> Fingerprint) {
    self.moment = moment
    fingerprint = hashing
  }

  /// Takes in one chain; the order of chains does not matter, and one that no fact has joined has no line.
  public mutating func add(
    _ chain: Chain, catalog: Catalog = .empty, policy: Policy = .standard
  ) {
    guard chain != Chain(key: chain.key) else { return }
    let answer = chain.answer(at: moment, catalog: catalog, policy: policy)
    let refunds = chain.refundEntries()
    let parts =
      chain.canonicalLines() + answer.products.map { $0.canonicalLine() }
      + refunds.map { $0.canonicalLine() }
    var line = CanonicalLine("chain")
    line.add(chain.key.scope)
    line.add("originalTransactionId", chain.key.originalTransactionId)
    line.add("sha256", hash(parts.map(\.bytes)).hexadecimal)
    lines.append(line.bytes)
    for money in refunds.compactMap(\.netRefund) {
      // Wraps rather than traps: a sum must not depend on the order of its parts.
      refunded[MoneyKey(scope: chain.key.scope, currency: money.currency), default: 0] &+=
        money.milliunits
    }
  }

  /// Shape: 64 lower-case hexadecimal digits.
  public var hexadecimal: String {
    let sums = refunded.map { key, sum in
      var line = CanonicalLine("refunded")
      line.add(key.scope)
      line.add("currency", key.currency.code)
      line.add("milliunits", sum)
      return line.bytes
    }
    return hash(lines + sums).hexadecimal
  }

  /// The SHA-256 of lines, sorted by their bytes, each ended by a line feed.
  private func hash(_ lines: [[UInt8]]) -> Fingerprint {
    let sorted = lines.sorted { $0.lexicographicallyPrecedes($1) }
    return fingerprint(Array(sorted.joined(separator: [10])) + [10])
  }
}

extension CanonicalLine {
  fileprivate mutating func add(_ scope: Scope) {
    add("realm", scope.realm.description)
    add("bundleId", scope.bundleId)
    add("environment", scope.environment.rawValue)
  }
}
