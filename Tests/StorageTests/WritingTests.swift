import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Glibc
import LedgerStorage
import SQLiteStorage
import Synchronization
import Testing

/// What a store promises about writes, when things go wrong too.
struct WritingTests {
  private static let insert = SQLStatement(
    "INSERT INTO scopes (bundle_id, environment) VALUES (?, 'Sandbox')")

  private static func write(_ store: TestStore, _ name: String) throws {
    _ = try store.ledger.wait { (completion: @escaping Ledger.Completion<Int>) in
      store.ledger.store.write(
        { (session) throws(StoreError) in try session.run(insert, [.text(name)]) },
        completion: completion)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a failing write leaves nothing and spoils no other`(kind: StoreKind) throws {
    let store = try kind.open()
    let results = Mutex<[Bool]>([])
    for number in 0..<60 {
      store.ledger.store.write(
        { (session) throws(StoreError) -> Void in
          try session.run(Self.insert, [.text("app\(number)")])
          if number % 3 == 0 { try session.run(Self.insert, [.text("app\(number)")]) }
        },
        completion: { (result: Result<Void, StoreError>) in
          let isDone = if case .success = result { true } else { false }
          results.withLock { $0.append(isDone) }
        })
    }
    try Self.write(store, "last")
    #expect(results.withLock { $0 } == (0..<60).map { $0 % 3 != 0 })
    #expect(try store.count("scopes") == 41)
  }

  @Test(arguments: StoreKind.allCases)
  func `a full queue refuses at once, and a closed store too`(kind: StoreKind) throws {
    let path = kind == .file ? TestStore.newPath() : nil
    defer { path.map(TestStore.remove) }
    let store = try TestStore(path: path, settings: SQLiteSettings(queueCapacity: 0))
    #expect(throws: StoreError.busy(waiting: 0)) { try Self.write(store, "a") }
    store.ledger.store.close()
    #expect(throws: StoreError.closed) { try Self.write(store, "a") }
    #expect(store.ledger.store.waitingWrites == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `many threads that report the same facts apply each once`(kind: StoreKind) throws {
    let store = try kind.open()
    var dice = SeededGenerator(seed: 11)
    let deliveries = try RandomDeliveries.make(&dice)
    let ledger = store.ledger
    let outcomes = Mutex<[DeliveryReceipt.Outcome]>([])
    let done = Mutex(0)
    for _ in 0..<4 {
      let mine = deliveries.shuffled(using: &dice)
      Threads.start {
        for delivery in mine {
          let receipts = try? ledger.wait { ledger.record([delivery], completion: $0) }
          outcomes.withLock { $0 += (receipts ?? []).map(\.outcome) }
        }
        done.withLock { $0 += 1 }
      }
    }
    while done.withLock({ $0 }) < 4 { sched_yield() }
    let distinct = Set(deliveries.map { "\($0.body) \($0.channel)" }).count
    let stored = outcomes.withLock { $0 }
    #expect(stored.filter { $0 == .stored }.count == distinct)
    #expect(stored.count == 4 * deliveries.count)
    let alone = try kind.open()
    for delivery in deliveries { try alone.record(delivery) }
    #expect(try store.reader.digest() == alone.reader.digest())
  }

  @Test func `a full disk refuses, acknowledges nothing, and recovers by itself`() throws {
    let path = TestStore.newPath()
    defer { TestStore.remove(path) }
    let store = try TestStore(path: path, settings: SQLiteSettings(greatestPageCount: 400))
    var stored: Int64 = 0
    var failure: StoreError?
    while failure == nil, stored < 10_000 {
      do {
        try Self.write(store, "app\(stored) " + String(repeating: "x", count: 900))
        stored += 1
      } catch let error as StoreError {
        failure = error
      }
    }
    #expect(failure == .full)
    #expect(try store.count("scopes") == stored)
    #expect(throws: StoreError.full) { try store.ledger.store.check() }
    let free = SQLStatement("DELETE FROM scopes")
    _ = try store.ledger.wait { (completion: @escaping Ledger.Completion<Int>) in
      store.ledger.store.write(
        { (session) throws(StoreError) in try session.run(free, []) }, completion: completion)
    }
    try store.ledger.store.check()
    try Self.write(store, "again")
    #expect(try store.count("scopes") == 1)
  }

  @Test func `a file that was moved away is noticed, and put back it works again`() throws {
    let path = TestStore.newPath()
    defer { TestStore.remove(path) }
    let store = try TestStore(path: path)
    try Self.write(store, "before")
    rename(path, path + ".away")
    #expect(throws: StoreError.unlinked) { try Self.write(store, "lost") }
    rename(path + ".away", path)
    try Self.write(store, "after")
    #expect(try store.count("scopes") == 2)
  }

  @Test(.timeLimit(.minutes(2)), arguments: 1...4 as ClosedRange<UInt64>)
  func `nothing acknowledged is lost to a kill, and nothing is applied twice`(
    seed: UInt64
  ) async throws {
    let path = TestStore.newPath()
    defer {
      unlink(path + ".acknowledged")
      TestStore.remove(path)
    }
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, seed = seed as UInt64] in
      try Killed.run(path: path, seed: seed)
    }
    let acknowledged = Killed.acknowledged(path)
    let store = try TestStore(path: path)
    for name in acknowledged {
      #expect(try store.reader.chain(Signed.key(name)) != nil, "\(name) is lost")
    }
    // What Apple sends again after the crash ends where an undisturbed run ends.
    let calm = try TestStore(path: nil)
    for number in 0..<Killed.count {
      let delivery = try Killed.delivery(number)
      try store.record(delivery)
      try calm.record(delivery)
    }
    #expect(try store.reader.digest() == calm.reader.digest())
    #expect(try store.postedSums() == calm.postedSums())
    #expect(try store.count("events") == calm.count("events"))
    #expect(try store.count("sightings") == calm.count("sightings"))
  }
}

/// The process that is killed while it writes.
enum Killed {
  static let count = 400

  /// Every fourth one refunds what the three before it bought.
  static func delivery(_ number: Int) throws -> Delivery {
    let minute = Int64(number)
    guard number % 4 == 3 else {
      return try Signed.notification(
        .subscribed, "u\(number)", Signed.transaction("t\(number)", token: "anna"), signed: minute)
    }
    let refunded = Signed.transaction(
      "t\(number - 1)", token: "anna", signed: minute, revoked: minute)
    return try Signed.notification(.refund, "u\(number)", refunded, signed: minute)
  }

  static func run(path: String, seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let end = Int.random(in: 5..<count - 50, using: &dice)
    let store = try TestStore(path: path)
    let log = open(path + ".acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    for number in 0..<count {
      let name = number % 4 == 3 ? "t\(number - 1)\n" : "t\(number)\n"
      store.ledger.record([try delivery(number)]) { result in
        guard case .success = result else { return }
        _ = name.withCString { Glibc.write(log, $0, strlen($0)) }
        if number == end { kill(getpid(), SIGKILL) }
      }
    }
    while true { sched_yield() }
  }

  static func acknowledged(_ path: String) -> [String] {
    guard let file = fopen(path + ".acknowledged", "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let length = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<length], as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// Threads of the tests' own, so that none of the shared ones waits.
enum Threads {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  static func start(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body(run))
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    pthread_detach(thread)
  }
}
