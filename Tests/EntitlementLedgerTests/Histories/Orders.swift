import ChanceSupport

/// The orders that a history is told in.
enum Orders {
  /// Every order of up to six facts; of more, each rotation both ways round and many shuffles.
  static func all<Element>(of facts: [Element], shuffles: Int = 200) -> [[Element]] {
    if facts.count <= 6 { return permutations(facts) }
    var dice = Dice(seed: UInt64(facts.count))
    let rotations = facts.indices.map { Array(facts[$0...] + facts[..<$0]) }
    return rotations + rotations.map { $0.reversed() }
      + (0..<shuffles).map { _ in dice.shuffled(facts) }
  }

  static func permutations<Element>(_ facts: [Element]) -> [[Element]] {
    guard let first = facts.first else { return [[]] }
    return permutations(Array(facts.dropFirst())).flatMap { rest in
      (0...rest.count).map { place in
        var order = rest
        order.insert(first, at: place)
        return order
      }
    }
  }

  /// The order with some facts told twice, in place and again at the end.
  static func withRepeats<Element>(_ facts: [Element]) -> [Element] {
    facts.enumerated().flatMap {
      $0.offset.isMultiple(of: 2) ? [$0.element, $0.element] : [$0.element]
    }
      + facts.reversed()
  }
}
