import AppStoreModel
import AppStoreSimulator
import Synchronization
import Testing

struct DueQueueTests {
  private func moment(_ number: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: Int64(number))
  }

  @Test(arguments: UInt64(1)...20)
  func `the first of a queue is the least of what was said last of each key`(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    var queue = DueQueue<Int>()
    var naive: [Int: Timestamp] = [:]
    for _ in 0..<3_000 {
      let key = Int.random(in: 0..<40, using: &dice)
      let isOver = Int.random(in: 0..<3, using: &dice) == 0
      let date = isOver ? nil : moment(Int.random(in: 0..<25, using: &dice))
      queue.set(date, for: key)
      naive[key] = date
      let least = naive.min { ($0.value, $0.key) < ($1.value, $1.key) }
      #expect(queue.first?.date == least?.value)
      #expect(queue.first?.key == least?.key)
    }
    for key in 0..<40 { queue.set(nil, for: key) }
    #expect(queue.first == nil)
  }

  /// A key that counts how often any is compared: all have the same moment.
  private struct CountedKey: Comparable, Hashable {
    static let comparisons = Mutex(0)
    let number: Int

    static func < (left: CountedKey, right: CountedKey) -> Bool {
      comparisons.withLock { $0 += 1 }
      return left.number < right.number
    }
  }

  @Test func `among 20,000 keys a step compares a few dozen`() {
    var queue = DueQueue<CountedKey>()
    for number in 0..<20_000 { queue.set(moment(0), for: CountedKey(number: number)) }
    CountedKey.comparisons.withLock { $0 = 0 }
    for number in 0..<20_000 {
      #expect(queue.first?.key.number == number)
      queue.set(moment(1), for: CountedKey(number: number))
    }
    #expect(CountedKey.comparisons.withLock { $0 } < 20_000 * 60)
    #expect(queue.first?.key.number == 0)
    #expect(queue.first?.date == moment(1))
  }
}
