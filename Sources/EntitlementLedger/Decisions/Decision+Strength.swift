package import AppStoreModel

/// How a decision stands against others about the same entitlement.
///
/// Granted before unknown before denied, what is certain before what is provisional; then the grant
/// that lasts longest, or what was bought last.
package struct DecisionStrength: Hashable, Comparable, Sendable {
  /// Range: `0...3`.
  package let rank: Int
  package let moment: Timestamp

  package init(rank: Int, moment: Timestamp) {
    self.rank = rank
    self.moment = moment
  }

  package static func < (one: DecisionStrength, other: DecisionStrength) -> Bool {
    one.rank != other.rank ? one.rank < other.rank : one.moment < other.moment
  }
}

extension Decision {
  package var strength: DecisionStrength {
    switch verdict {
    case .granted:
      DecisionStrength(rank: isProvisional ? 2 : 3, moment: until ?? .distantFuture)
    case .unknown: DecisionStrength(rank: 1, moment: evidence.moment)
    case .denied: DecisionStrength(rank: 0, moment: evidence.moment)
    }
  }

  /// The best decision about each entitlement, sorted by entitlement.
  package static func best(of decisions: [Decision]) -> [Decision] {
    var best: [String: Decision] = [:]
    for decision in decisions {
      guard let known = best[decision.entitlement], !decision.isBetter(than: known) else {
        best[decision.entitlement] = decision
        continue
      }
    }
    return best.values.sorted { $0.entitlement < $1.entitlement }
  }

  /// The stronger; of equal ones that whose evidence has the greater text, byte by byte, so that
  /// neither the order of chains nor the store's way of sorting matters.
  private func isBetter(than other: Decision) -> Bool {
    guard strength == other.strength else { return strength > other.strength }
    return other.evidence.name.utf8.lexicographicallyPrecedes(evidence.name.utf8)
  }
}

extension Evidence {
  fileprivate var moment: Timestamp { purchaseDate ?? .distantPast }

  fileprivate var name: String {
    [chain?.originalTransactionId, transactionId, productId, grantId].map { $0 ?? "" }
      .joined(separator: "\t")
  }
}
