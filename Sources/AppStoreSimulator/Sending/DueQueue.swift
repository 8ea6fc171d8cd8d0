package import AppStoreModel

/// Keys by the moment at which each is due, the first ones first; of one moment the least key first.
///
/// A binary heap. An entry that was replaced stays in it until it comes to the top, or until such
/// entries are the most.
package struct DueQueue<Key: Comparable & Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    let date: Timestamp
    let key: Key

    func isBefore(_ other: Entry) -> Bool {
      date == other.date ? key < other.key : date < other.date
    }
  }

  private var heap: [Entry] = []
  private var dates: [Key: Timestamp] = [:]

  package init() {}

  /// What is due first, absent when nothing is.
  package var first: (date: Timestamp, key: Key)? {
    heap.first.map { ($0.date, $0.key) }
  }

  /// Says when a key is due, or with `nil` that it no longer is.
  package mutating func set(_ date: Timestamp?, for key: Key) {
    guard dates[key] != date else { return }
    dates[key] = date
    if let date { push(Entry(date: date, key: key)) }
    while let top = heap.first, !isInForce(top) { removeFirst() }
    if heap.count > 64, heap.count > dates.count * 2 { leaveOutReplaced() }
  }

  private func isInForce(_ entry: Entry) -> Bool { dates[entry.key] == entry.date }

  private mutating func push(_ entry: Entry) {
    var place = heap.count
    heap.append(entry)
    while place > 0, entry.isBefore(heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var place = 0
    while let child = lesserChild(of: place), heap[child].isBefore(heap[place]) {
      heap.swapAt(place, child)
      place = child
    }
  }

  private func lesserChild(of place: Int) -> Int? {
    let (left, right) = (place * 2 + 1, place * 2 + 2)
    guard left < heap.count else { return nil }
    return right < heap.count && heap[right].isBefore(heap[left]) ? right : left
  }

  private mutating func leaveOutReplaced() {
    // Sorted, so that it is a heap as it stands.
    heap = dates.map { Entry(date: $1, key: $0) }.sorted { $0.isBefore($1) }
  }
}
