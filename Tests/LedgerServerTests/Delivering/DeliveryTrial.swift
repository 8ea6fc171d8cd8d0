import AppStoreModel
import EntitlementLedger
import LedgerStorage
import SQLiteStorage
import Testing

@testable import LedgerServer

/// Deliveries from a real store under a clock that a test sets, with a network that it plays.
final class DeliveryTrial {
  /// What the network was given and has not answered.
  struct Sent {
    let attempt: DeliveryDesk.Attempt
    let dispatch: Dispatch

    var position: Int64 { attempt.start.position }
  }

  static let scope = Scope(realm: .apple, bundleId: "com.example.app", environment: .sandbox)

  let ledger: Ledger
  let reader: LedgerReader
  private(set) var desk: DeliveryDesk
  private(set) var now = Timestamp(millisecondsSince1970: 1_790_000_000_000)
  private(set) var sent: [Sent] = []
  private(set) var reports: [DeliveryDesk.Report] = []
  private let rules: DeliveryRules
  private var grants = 0

  init(_ changed: (inout DeliveryRules) -> Void = { _ in }) throws {
    var rules = DeliveryRules()
    rules.chance = { 500 }
    changed(&rules)
    self.rules = rules
    let store = try SQLiteStore(.memory, realm: .apple, now: now)
    ledger = Ledger(store: store)
    reader = try ledger.makeReader()
    desk = DeliveryDesk(reader, rules)
  }

  deinit { ledger.store.close() }

  func write<Value: Sendable>(
    _ work: @escaping @Sendable (Recorder) throws(StoreError) -> Value
  ) throws -> Value {
    try ledger.wait { ledger.write($0, work) }
  }

  /// Writes something that happens now, of which the desk is not told.
  func change(
    _ work: @escaping @Sendable (Recorder, Timestamp) throws(StoreError) -> Void
  ) throws {
    let now = now
    try write { (recorder) throws(StoreError) in try work(recorder, now) }
  }

  @discardableResult
  func endpoint(
    _ name: String, apps: Set<String> = [scope.bundleId],
    environment: AppStoreEnvironment = .sandbox, types: Set<String> = [],
    url: String = "https://example.com/"
  ) throws -> Destination {
    var new = NewDestination(name: name, kind: .webhook, url: url)
    new.environment = environment
    new.bundleIds = apps
    new.types = types
    new.secret = Array(repeating: UInt8(name.utf8.first ?? 0), count: 32)
    let (made, now) = (new, now)
    let destination = try write { (recorder) throws(StoreError) in
      try recorder.add(made, limit: 10, now: now)
    }
    try desk.reload(at: now)
    return try #require(destination)
  }

  func destination(_ name: String) throws -> Destination {
    let found = try reader.read { (recorder) throws(StoreError) in
      try recorder.destination(named: name)
    }
    return try #require(found)
  }

  /// Gives a customer something, which is news.
  ///
  /// - Returns: The event's position.
  @discardableResult
  func news(_ customer: String, in scope: Scope = scope) throws -> Int64 {
    grants += 1
    let grant = ManualGrant(
      id: "grant-\(grants)", customer: try #require(CustomerID(customer)),
      entitlement: "right-\(grants)", from: now, until: nil)
    let now = now
    _ = try ledger.wait { completion in
      ledger.grant(grant, in: scope, GrantStatement(at: now), completion: completion)
    }
    return try reader.lastEventPosition()
  }

  func wait(_ span: TimeSpan) { now = now.adding(span) }

  /// Has what may begin begun, until nothing more does.
  func turn() throws {
    repeat {
      try desk.turn(at: now) { attempt, dispatch in
        sent.append(Sent(attempt: attempt, dispatch: dispatch))
      }
    } while desk.hasMore
    try save()
  }

  /// Answers the oldest request, or that of a position.
  func answer(_ answer: DispatchAnswer, position: Int64? = nil) throws {
    let place = position.map { wanted in sent.firstIndex { $0.position == wanted } } ?? 0
    let request = sent.remove(at: try #require(place))
    if let report = desk.finish(request.attempt, answer, at: now) { reports.append(report) }
  }

  func answer(_ status: Int, position: Int64? = nil) throws {
    try answer(DispatchAnswer(status: status), position: position)
  }

  /// Goes on until nothing is under way or due at once, each answered by `status`.
  ///
  /// - Returns: The positions that were sent, in order.
  @discardableResult
  func settle(_ status: (Sent) -> Int = { _ in 200 }) throws -> [Int64] {
    var positions: [Int64] = []
    try turn()
    while let request = sent.first {
      positions.append(request.position)
      try answer(status(request))
      try turn()
    }
    return positions
  }

  /// Writes what the store was not told.
  func save() throws {
    let steps = desk.takeSteps()
    try write { (recorder) throws(StoreError) in
      for kind in Destination.Kind.allCases {
        if let steps = steps[kind] { try recorder.carryOut(steps, for: kind) }
      }
    }
  }

  /// Loses everything that is not stored, and begins again.
  func crash() throws {
    sent = []
    desk = DeliveryDesk(reader, rules)
    try desk.reload(at: now)
  }

  func reload() throws {
    try save()
    try desk.reload(at: now)
  }

  /// What events are about.
  func types(_ positions: [Int64]) throws -> [String] {
    try positions.compactMap { position in
      try reader.events(after: position - 1, limit: 1).first?.type
    }
  }

  func letters(_ name: String) throws -> [Int64] {
    let id = try destination(name).id
    return try reader.read { (recorder) throws(StoreError) in
      try recorder.deadLetters(of: id, after: 0, limit: 1_000)
    }.map(\.position)
  }

  func log(_ name: String) throws -> [DeliveryAttempt] {
    let id = try destination(name).id
    return try reader.read { (recorder) throws(StoreError) in
      try recorder.deliveryAttempts(of: id, before: .max, limit: 2_000)
    }.map(\.attempt)
  }
}
