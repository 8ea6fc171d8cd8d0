import AppStoreModel
import AppStoreSimulator

typealias Dice = SeededGenerator

extension SeededGenerator {
  mutating func roll(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  mutating func chance(_ percent: Int) -> Bool { roll(1...100) <= percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[roll(0...elements.count - 1)]
  }

  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var result = elements
    for last in stride(from: result.count - 1, to: 0, by: -1) {
      result.swapAt(last, roll(0...last))
    }
    return result
  }

  /// Whole seconds, up to `longest`.
  mutating func span(upTo longest: TimeSpan) -> TimeSpan {
    .seconds(Int64(roll(0...max(1, Int(longest.milliseconds / 1_000)))))
  }
}
