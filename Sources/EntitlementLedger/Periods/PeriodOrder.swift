import AppStoreModel

/// The periods of a chain in the order of their purchase, so that those which meet one are found
/// without a look at all the others.
struct PeriodOrder {
  private struct Entry {
    let purchaseDate: Timestamp
    /// Among the purchases, in the order in which they were made.
    let place: Int
    /// The latest expiry of this one and of all before it.
    let reach: Timestamp
  }

  private let entries: [Entry]

  /// - Parameter purchases: In the order in which they were made.
  init(_ purchases: [Purchase]) {
    var sorted = purchases.indices.filter { purchases[$0].expiresDate != nil }
    sorted.sort { purchases[$0].purchaseDate < purchases[$1].purchaseDate }
    var reach = Timestamp.distantPast
    entries = sorted.map { place in
      reach = max(reach, purchases[place].expiresDate ?? .distantPast)
      return Entry(purchaseDate: purchases[place].purchaseDate, place: place, reach: reach)
    }
  }

  /// Whether one that was bought before a moment reaches up to it.
  func reaches(_ moment: Timestamp) -> Bool {
    let next = firstBought(from: moment)
    return next > 0 && entries[next - 1].reach >= moment
  }

  /// The first of those bought from one moment and before another that is as wanted.
  func first(
    boughtFrom begin: Timestamp, before end: Timestamp, where isWanted: (Int) -> Bool
  ) -> Int? {
    for entry in entries[firstBought(from: begin)...] {
      if entry.purchaseDate >= end { return nil }
      if isWanted(entry.place) { return entry.place }
    }
    return nil
  }

  private func firstBought(from moment: Timestamp) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].purchaseDate < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
