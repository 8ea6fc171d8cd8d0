package import AppStoreModel
import AppStoreSimulator

/// Chance that a seed repeats, in the forms in which tests ask for it.
package struct Dice: RandomNumberGenerator, Sendable {
  private var generator: SeededGenerator

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  package mutating func next() -> UInt64 { generator.next() }

  package mutating func roll(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  package mutating func roll(below count: Int) -> Int { roll(0...count - 1) }

  package mutating func chance(_ percent: Int) -> Bool { roll(1...100) <= percent }

  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[roll(below: elements.count)]
  }

  package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for last in stride(from: result.count - 1, to: 0, by: -1) {
      result.swapAt(last, roll(0...last))
    }
    return result
  }

  /// Whole seconds, up to `longest`.
  package mutating func span(upTo longest: TimeSpan) -> TimeSpan {
    .seconds(Int64(roll(0...max(1, Int(longest.milliseconds / 1_000)))))
  }
}
