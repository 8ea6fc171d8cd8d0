import AppStoreModel
import AppStoreSimulator
import Foundation
import LedgerStorage
import Testing

/// A backend that reads events, forgets now and then where it was, and outlives its server.
private struct Consumer {
  /// The id or position that it comes back with.
  private var cursor = "0"
  private(set) var applied: [String] = []
  private(set) var repeats = 0
  private(set) var backwards: [String] = []
  private var known: Set<String> = []
  private var versions: [String: Int64] = [:]

  /// Reads one page.
  ///
  /// - Returns: How many events were on it.
  mutating func read(
    from served: ServedProcess, key: String, limit: Int, forgets: Bool
  ) throws -> Int {
    let text = try served.get("/v1/events?after=\(cursor)&limit=\(limit)", key: key)
    let events = try #require(try JSONValue(json: Array(text.utf8))["events"]?.array)
    for event in events { try apply(event) }
    if !forgets, let last = events.last?["id"]?.string { cursor = last }
    return events.count
  }

  private mutating func apply(_ event: JSONValue) throws {
    let id = try #require(event["id"]?.string)
    guard known.insert(id).inserted else {
      repeats += 1
      return
    }
    applied.append(id)
    guard let customer = event["customer"]?.string else { return }
    let version = try #require(event["version"]?.integer)
    if version < versions[customer, default: 0] { backwards.append(id) }
    versions[customer] = version
  }
}

struct EventConsumerTests {
  /// Only a server makes a ledger, and a key is kept in one.
  private func key(_ store: BusyStore, _ site: ServedSite) throws -> String {
    try site.key(
      "reader", scope: "read", app: store.app.bundleId,
      environment: store.app.environment.rawValue)
  }

  @Test(.timeLimit(.minutes(3)))
  func `a reader of events loses nothing and never goes backwards when the server is killed`()
    throws
  {
    let store = try BusyStore(customers: 40, seed: 4)
    let site = try store.site()
    var key: String?
    var dice = SeededGenerator(seed: 4)
    var consumer = Consumer()
    for round in 1...3 {
      let served = try ServedProcess(site)
      let known = try key ?? self.key(store, site)
      key = known
      let order = store.notifications.indices.shuffled(using: &dice)
      let posters = Posters(4, url: served.url, texts: store.notifications, order: order)
      while posters.acknowledged.count < round * 50 {
        _ = try consumer.read(
          from: served, key: known, limit: Int.random(in: 1...40, using: &dice),
          forgets: Int.random(in: 0..<3, using: &dice) == 0)
      }
      served.crash()
      posters.wait()
    }
    let served = try ServedProcess(site)
    Posters(
      4, url: served.url, texts: store.notifications, order: Array(store.notifications.indices)
    ).wait()
    let known = try #require(key)
    while try consumer.read(from: served, key: known, limit: 100, forgets: false) > 0 {}
    #expect(served.stop() == 0)
    let told = try site.inspect { try $0.events(after: 0, limit: 100_000) }
    #expect(consumer.applied == told.map(\.id.text))
    #expect(consumer.backwards == [])
    #expect(consumer.repeats > 0)
  }
}
