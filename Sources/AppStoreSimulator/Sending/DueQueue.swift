import AppStoreModel

/// Places in a list by the moment at which each is due, the first ones first.
struct DueQueue: Sendable {
  private var entries: [(date: Timestamp, index: Int)] = []
  /// Where the entries begin that were not taken yet.
  private var head = 0

  var first: (date: Timestamp, index: Int)? {
    head < entries.count ? entries[head] : nil
  }

  mutating func insert(_ index: Int, at date: Timestamp) {
    entries.insert((date, index), at: place(of: index, date))
  }

  mutating func remove(_ index: Int, at date: Timestamp) {
    let place = place(of: index, date)
    guard place < entries.count, entries[place] == (date, index) else { return }
    if place == head { head += 1 } else { entries.remove(at: place) }
    if head > 1_024, head * 2 > entries.count {
      entries.removeFirst(head)
      head = 0
    }
  }

  /// The first entry that is not before a place and date.
  private func place(of index: Int, _ date: Timestamp) -> Int {
    var low = head
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] < (date, index) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
