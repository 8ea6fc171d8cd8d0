import AppStoreModel

// What changes without a fact.
extension NaiveLedger {
  /// Every moment at which the answer could change by itself.
  private func edges(term: TimeSpan?) -> [Timestamp] {
    let ofCopies = copies.map(\.copy).flatMap { copy -> [Timestamp] in
      let ends = [copy.expires, term.map(copy.purchased.adding)].compactMap { $0 }
      return [copy.purchased, copy.signed] + ends + ends.map { $0.adding(Self.leeway) }
    }
    let allRenewals = renewals + notices.compactMap(\.renewal)
    let ofRenewals = allRenewals.flatMap { [$0.graceUntil, $0.renewalDate].compactMap { $0 } }
    return Set(ofCopies + ofRenewals + successions).sorted()
  }

  /// When access is next given or taken if no fact comes; `nil` if it stays as it is for ever.
  func nextChange(after now: Timestamp, term: TimeSpan? = nil) -> Timestamp? {
    let isGranted = decision(at: now, term: term).isGranted
    return edges(term: term).first { edge in
      edge > now && decision(at: edge, term: term).isGranted != isGranted
    }
  }
}
