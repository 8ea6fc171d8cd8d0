import AppStoreModel
import Foundation

/// The latest answers, readable from any thread without waiting for the store.
///
/// Answers hold for a stretch of time; outside it they are worked out again from the same evidence.
final class AnswerBoard: @unchecked Sendable {
  private let lock = NSLock()
  private var holdings: Holdings
  private var answers: [String: Entitlement] = [:]
  private var from = Timestamp.distantFuture
  private var until = Timestamp.distantPast
  private var subscribers: [Int: AsyncStream<EntitlementChange>.Continuation] = [:]
  private var nextSubscriber = 0
  /// What happened before anybody followed; `nil` from the first follower on.
  private var early: [EntitlementChange]? = []
  private static let greatestEarly = 100
  private var followers: [Int: @Sendable () -> Void] = [:]
  private var problem: ReportingProblem?

  init(_ holdings: Holdings) {
    self.holdings = holdings
  }

  func entitlement(_ id: String, at device: Timestamp) -> Entitlement? {
    lock.lock()
    defer { lock.unlock() }
    if device < from || device >= until { workOut(at: device) }
    #if DEBUG
      if let isEntitled = pretended[id] { return Entitlement(pretended: id, isEntitled) }
    #endif
    return answers[id]
  }

  #if DEBUG
    private var pretended: [String: Bool] = [:]

    func pretend(_ id: String, _ isEntitled: Bool?) {
      let followers = locked {
        pretended[id] = isEntitled
        return Array(self.followers.values)
      }
      for follower in followers { follower() }
    }
  #endif

  var storeState: StoreState { locked { holdings.storeState } }

  var appTakenBackAt: Date? { locked { holdings.appTakenBackAt.map { Date($0) } } }

  var reportingProblem: ReportingProblem? { locked { problem } }

  var setAside: [SetAsideItem] { locked { holdings.setAside } }

  func signedCopy(_ transactionID: String) -> String? {
    locked { holdings.copies[transactionID]?.jws }
  }

  /// Shows new holdings and tells everybody what changed by them since `shown`.
  func show(
    _ new: Holdings, since shown: [Entitlement], _ events: [EntitlementChange],
    at device: Timestamp
  ) {
    lock.lock()
    let stateBefore = holdings.storeState
    let appBefore = holdings.appTakenBackAt
    holdings = new
    workOut(at: device)
    var changes = events
    if new.storeState != stateBefore { changes.append(.storeState(new.storeState)) }
    if new.appTakenBackAt != appBefore {
      changes.append(new.appTakenBackAt.map { .appTakenBack(at: Date($0)) } ?? .appGivenBack)
    }
    for old in shown {
      if let now = answers[old.id], let change = EntitlementChange.between(old, now) {
        changes.append(change)
      }
    }
    let tell = telling(changes)
    lock.unlock()
    tell()
  }

  /// Tells what stands in the way of reports, or that nothing does any more.
  func note(_ problem: ReportingProblem?) {
    let tell = locked {
      self.problem = problem
      return telling([problem.map { .reportingFailed($0) } ?? .reportingResumed])
    }
    tell()
  }

  /// What tells everybody, to be called without the lock.
  private func telling(_ changes: [EntitlementChange]) -> () -> Void {
    keepEarly(changes)
    let continuations = subscribers.sorted { $0.key < $1.key }.map(\.value)
    let followers = changes.isEmpty ? [] : Array(followers.values)
    return {
      for change in changes { for continuation in continuations { continuation.yield(change) } }
      for follower in followers { follower() }
    }
  }

  func changes() -> AsyncStream<EntitlementChange> {
    let (stream, continuation) = AsyncStream<EntitlementChange>.makeStream()
    let id = locked {
      nextSubscriber += 1
      subscribers[nextSubscriber] = continuation
      for change in early ?? [] { continuation.yield(change) }
      early = nil
      return nextSubscriber
    }
    continuation.onTermination = { [weak self] _ in
      self?.locked { self?.subscribers[id] = nil }
    }
    return stream
  }

  /// The first to follow hears of the first look too, however late it comes; the oldest go first.
  private func keepEarly(_ changes: [EntitlementChange]) {
    guard let kept = early else { return }
    early = (kept + changes).suffix(Self.greatestEarly)
  }

  /// Ends every stream of changes.
  func close() {
    let continuations = locked { Array(subscribers.values) }
    for continuation in continuations { continuation.finish() }
  }

  /// Calls back after every change, for as long as what is returned lives.
  func follow(_ body: @escaping @Sendable () -> Void) -> AnswerFollower {
    let id = locked {
      nextSubscriber += 1
      followers[nextSubscriber] = body
      return nextSubscriber
    }
    return AnswerFollower { [weak self] in self?.locked { self?.followers[id] = nil } }
  }

  /// How many are called back.
  var followerCount: Int { locked { followers.count } }

  private func locked<Value>(_ body: () -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  private func workOut(at device: Timestamp) {
    answers = Dictionary(
      uniqueKeysWithValues: holdings.entitlements(at: device).map { ($0.id, $0) })
    from = device
    until = holdings.nextChange(after: device) ?? .distantFuture
  }
}

#if DEBUG
  extension Entitlement {
    fileprivate init(pretended id: String, _ isEntitled: Bool) {
      self.init(
        id: id,
        answer: isEntitled ? .entitled(until: nil) : .notEntitled(because: .neverBought),
        isAllowed: isEntitled, source: .none, transactionID: nil, productID: nil,
        isProvisional: false)
    }
  }
#endif
