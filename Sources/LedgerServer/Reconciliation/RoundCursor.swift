/// How far several workers have come along a row of chains: a pure count.
///
/// Only what lies before every chain that is still under way counts as done, so that a killed
/// process leaves nothing out.
struct RoundCursor: Hashable, Sendable {
  /// The row up to which everything is done.
  private(set) var place: Int64
  private var handedOut: Int64
  private var waiting: [Int64] = []
  private var underway: Set<Int64> = []

  init(place: Int64) {
    self.place = place
    handedOut = place
  }

  /// The chain to ask about next; `nil` when more must be read first.
  var next: Int64? { waiting.first }

  /// The row after which more are to be read.
  var readingPlace: Int64 { max(handedOut, waiting.last ?? 0) }

  var isResting: Bool { underway.isEmpty && waiting.isEmpty }

  mutating func read(_ chainIDs: [Int64]) {
    waiting += chainIDs
  }

  mutating func begin(_ chainID: Int64) {
    waiting.removeAll { $0 == chainID }
    underway.insert(chainID)
    handedOut = max(handedOut, chainID)
  }

  mutating func finish(_ chainID: Int64) {
    underway.remove(chainID)
    settle()
  }

  /// Gives a chain back that could not be asked about now.
  mutating func giveBack(_ chainID: Int64) {
    underway.remove(chainID)
    waiting.insert(chainID, at: 0)
    waiting.sort()
  }

  /// The place once this chain is done too.
  func place(after chainID: Int64) -> Int64 {
    var later = self
    later.finish(chainID)
    return later.place
  }

  private mutating func settle() {
    let open = [underway.min(), waiting.min()].compactMap { $0 }.min()
    place = max(place, min(handedOut, open.map { $0 - 1 } ?? handedOut))
  }
}
