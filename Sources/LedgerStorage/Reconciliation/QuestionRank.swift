/// Why Apple is asked about a chain, in the order in which it is asked.
package enum QuestionRank: Int64, Hashable, Comparable, Sendable, CaseIterable {
  /// Signals contradict each other, or an answer waits for Apple's.
  case doubt
  /// Something of it stands revoked: a reversal may have come that nobody told us.
  case revocation
  /// A one-time purchase that may still be refunded.
  case youngPurchase
  /// A share of a product whose purchase was refunded, or given back, nearby.
  case familyMember
  /// What the general round could not ask about when it came by.
  case rest

  package static func < (left: QuestionRank, right: QuestionRank) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension QuestionRank: CustomStringConvertible {
  package var description: String {
    switch self {
    case .doubt: "doubt"
    case .revocation: "revocation"
    case .youngPurchase: "youngPurchase"
    case .familyMember: "familyMember"
    case .rest: "rest"
    }
  }
}
