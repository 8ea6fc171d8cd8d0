import AppStoreModel
import LedgerStorage

/// What of one track is under way, waits or may begin: rules alone, without clock, store or network.
///
/// A *lane* is what is to be delivered next to one customer; whatever comes later for that customer
/// stands behind it and is found again in the store. A lane that failed is *held*: it has a row, so the
/// cursor may pass it. One that has not failed yet is *fresh*: it has none, and the cursor stays before
/// it. So a crash loses nothing, and repeats at most what was fresh.
struct DeliveryQueue {
  /// Whose order counts.
  enum Key: Hashable {
    case customer(Int64)
    /// Nobody's: the item stands for itself.
    case item(Int64)
  }

  struct Lane: Hashable {
    var position: Int64
    var attempts: Int
    /// Whether something later stands behind it.
    var hasMore: Bool
    var isUnderWay = false
  }

  /// What may be sent now.
  struct Start: Hashable {
    let position: Int64
    /// 1 for the first.
    let attempt: Int
    let key: Key
  }

  /// What came of an attempt.
  enum Verdict: Hashable {
    case delivered
    case failed(next: Timestamp)
    /// It failed, and is not tried again.
    case dead(DeadLetter)
  }

  /// How many lanes may be fresh at once.
  static let window = 128

  let track: Int64
  let destination: Int64
  let end: Int64?
  /// Whether what comes next for a customer is another dead letter, and not just any event.
  let isOfDeadLetters: Bool
  /// Up to where it was read.
  private(set) var readTo: Int64
  /// What the store was told.
  private var cursor: Int64
  private var fresh: [Key: Lane] = [:]
  private var held: [Key: Lane] = [:]
  private var ready: [Key] = []
  private var readyStart = 0
  private var later = DueList()

  init(_ track: DeliveryTrack, lanes: [DeliveryLane]) {
    self.track = track.id
    destination = track.destinationID
    end = track.end
    isOfDeadLetters = track.isOfDeadLetters
    readTo = track.cursor
    cursor = track.cursor
    for lane in lanes {
      let key = lane.customerID.map { Key.customer($0) } ?? .item(lane.position)
      held[key] = Lane(position: lane.position, attempts: lane.attempts, hasMore: true)
      later.add(key, at: lane.due)
    }
  }

  var heldCount: Int { held.count }
  var freshCount: Int { fresh.count }
  /// A repetition that has come to its end.
  var isFinished: Bool {
    guard let end else { return false }
    return readTo >= end && fresh.isEmpty && held.isEmpty
  }
  /// How many more items may be taken.
  var room: Int { max(0, Self.window - fresh.count) }

  /// Up to where everything was delivered, is held, or was given up.
  var reached: Int64 {
    let first = fresh.values.lazy.map(\.position).min()
    return first.map { min($0 - 1, readTo) } ?? readTo
  }

  /// When a held lane is due next.
  var nextDue: Timestamp? { later.first }

  /// Takes what was read after ``readTo``, which is `last` from now on.
  mutating func take(_ items: [OutgoingItem], upTo last: Int64) {
    for item in items {
      let key = item.customerID.map { Key.customer($0) } ?? .item(item.position)
      if held[key] != nil {
        held[key]?.hasMore = true
      } else if fresh[key] != nil {
        fresh[key]?.hasMore = true
      } else {
        fresh[key] = Lane(position: item.position, attempts: 0, hasMore: false)
        ready.append(key)
      }
    }
    readTo = max(readTo, last)
  }

  /// What may be sent at a moment, at most so many; from now on it is under way.
  mutating func start(_ count: Int, at now: Timestamp) -> [Start] {
    var starts: [Start] = []
    while starts.count < count, let key = nextReady(now) {
      guard var lane = held[key] ?? fresh[key], !lane.isUnderWay else { continue }
      lane.isUnderWay = true
      set(lane, of: key)
      starts.append(Start(position: lane.position, attempt: lane.attempts + 1, key: key))
    }
    return starts
  }

  /// Takes back what could not be sent, to be begun again.
  mutating func giveBack(_ start: Start) {
    guard var lane = held[start.key] ?? fresh[start.key], lane.isUnderWay else { return }
    lane.isUnderWay = false
    set(lane, of: start.key)
    ready.append(start.key)
  }

  /// Takes the end of an attempt.
  ///
  /// - Parameters:
  ///   - start: What was sent.
  ///   - verdict: What came of it.
  ///   - now: The moment.
  ///   - next: Finds the customer's next item after one position, up to another; where that cannot
  ///     be read, the item is sent once more instead of losing what stands behind it.
  /// - Returns: What is to be written; nothing for what is not under way here.
  mutating func finish(
    _ start: Start, _ verdict: Verdict, at now: Timestamp,
    next: (_ customer: Int64, _ after: Int64, _ through: Int64) throws(StoreError) -> Int64?
  ) -> [DeliveryStep] {
    guard var lane = held[start.key] ?? fresh[start.key], lane.isUnderWay,
      lane.position == start.position
    else { return [] }
    lane.isUnderWay = false
    switch verdict {
    case .failed(let due):
      lane.attempts += 1
      return hold(lane, start.key, until: due)
    case .delivered: return goOn(lane, start.key, at: now, next)
    case .dead(let letter):
      return [.bury(destination: destination, letter)] + goOn(lane, start.key, at: now, next)
    }
  }

  /// The cursor, if it has moved since it was last told.
  mutating func advance() -> DeliveryStep? {
    let reached = reached
    guard reached > cursor else { return nil }
    cursor = reached
    return .advance(track: track, cursor: reached)
  }

  /// Waits with a row; the cursor may pass it.
  private mutating func hold(_ lane: Lane, _ key: Key, until due: Timestamp) -> [DeliveryStep] {
    var lane = lane
    if fresh.removeValue(forKey: key) != nil { lane.hasMore = true }
    held[key] = lane
    later.add(key, at: due)
    return [.hold(track: track, row(lane, key, due: due))]
  }

  /// The lane's head is done with: what stands behind it comes next.
  private mutating func goOn(
    _ lane: Lane, _ key: Key, at now: Timestamp,
    _ next: (Int64, Int64, Int64) throws(StoreError) -> Int64?
  ) -> [DeliveryStep] {
    let isHeld = held[key] != nil
    var steps: [DeliveryStep] =
      isHeld ? [.free(track: track, position: lane.position)] : []
    var following: Int64?
    if lane.hasMore, case .customer(let id) = key {
      do throws(StoreError) {
        following = try next(id, lane.position, readTo)
      } catch {
        return hold(lane, key, until: now)
      }
    }
    guard let following else {
      held[key] = nil
      fresh[key] = nil
      return steps
    }
    let successor = Lane(position: following, attempts: 0, hasMore: true)
    if isHeld {
      held[key] = successor
      steps.append(.hold(track: track, row(successor, key, due: now)))
    } else {
      fresh[key] = successor
    }
    ready.append(key)
    return steps
  }

  private func row(_ lane: Lane, _ key: Key, due: Timestamp) -> DeliveryLane {
    var customer: Int64?
    if case .customer(let id) = key { customer = id }
    return DeliveryLane(
      customerID: customer, position: lane.position, attempts: lane.attempts, due: due)
  }

  private mutating func set(_ lane: Lane, of key: Key) {
    if held[key] != nil { held[key] = lane } else { fresh[key] = lane }
  }

  private mutating func nextReady(_ now: Timestamp) -> Key? {
    if let key = later.take(dueBy: now) { return key }
    guard readyStart < ready.count else { return nil }
    defer {
      readyStart += 1
      if readyStart == ready.count {
        ready.removeAll(keepingCapacity: true)
        readyStart = 0
      }
    }
    return ready[readyStart]
  }
}

/// Lanes by the moment that they are due at.
struct DueList {
  /// The earliest last.
  private var entries: [(due: Timestamp, key: DeliveryQueue.Key)] = []

  var first: Timestamp? { entries.last?.due }

  mutating func add(_ key: DeliveryQueue.Key, at due: Timestamp) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].due > due { low = middle + 1 } else { high = middle }
    }
    entries.insert((due, key), at: low)
  }

  mutating func take(dueBy now: Timestamp) -> DeliveryQueue.Key? {
    guard let last = entries.last, last.due <= now else { return nil }
    entries.removeLast()
    return last.key
  }
}
