import AppStoreModel
import AppStoreSimulator
import Foundation
import HTTPListener
import LedgerStorage
import Synchronization
import Testing

/// A backend that holds the stream open, and outlives the server that it reads from.
private final class StreamConsumer: Sendable {
  private struct State {
    var applied: [String] = []
    var backwards: [String] = []
    var versions: [String: Int64] = [:]
  }

  private let state = Mutex(State())

  var applied: [String] { state.withLock { $0.applied } }
  var backwards: [String] { state.withLock { $0.backwards } }
  var last: String? { state.withLock { $0.applied.last } }

  /// Reads, on a thread of its own, from where it stands until the connection is over.
  func read(_ served: ServedProcess, key: String) throws -> WorkerThread {
    let stream = try StreamedEvents(port: served.port, key: key, lastEventID: last)
    return WorkerThread { [self] in
      while let event = stream.next() { apply(event) }
    }
  }

  private func apply(_ event: JSONValue) {
    guard let id = event["id"]?.string else { return }
    state.withLock { state in
      state.applied.append(id)
      guard let customer = event["customer"]?.string, let version = event["version"]?.integer
      else { return }
      if version < state.versions[customer, default: 0] { state.backwards.append(id) }
      state.versions[customer] = version
    }
  }
}

struct StreamCrashTests {
  @Test(.timeLimit(.minutes(5)))
  func `a stream that comes back with its last id after kill -9 loses nothing and repeats nothing`()
    throws
  {
    let store = try BusyStore(customers: 40, seed: 8)
    let site = try store.site()
    var key: String?
    var dice = SeededGenerator(seed: 8)
    let consumer = StreamConsumer()
    for round in 1...3 {
      let served = try ServedProcess(site)
      let known = try key ?? self.key(store, site)
      key = known
      let reader = try consumer.read(served, key: known)
      let order = store.notifications.indices.shuffled(using: &dice)
      let posters = Posters(4, url: served.url, texts: store.notifications, order: order)
      while posters.acknowledged.count < round * 50 { sched_yield() }
      served.crash()
      posters.wait()
      reader.join()
    }
    #expect(!consumer.applied.isEmpty)
    let served = try ServedProcess(site)
    let reader = try consumer.read(served, key: try #require(key))
    Posters(
      4, url: served.url, texts: store.notifications, order: Array(store.notifications.indices)
    ).wait()
    #expect(served.stop() == 0)
    reader.join()
    let told = try site.inspect { try $0.events(after: 0, limit: 100_000) }.map(\.id.text)
    #expect(Array(told.prefix(consumer.applied.count)) == consumer.applied)
    #expect(consumer.backwards == [])
    // What the stop cut off is the beginning of the next connection.
    let again = try ServedProcess(site)
    let rest = try consumer.read(again, key: try #require(key))
    while consumer.applied.count < told.count { sched_yield() }
    again.crash()
    rest.join()
    #expect(consumer.applied == told)
    #expect(consumer.backwards == [])
  }

  private func key(_ store: BusyStore, _ site: ServedSite) throws -> String {
    try site.key(
      "reader", scope: "read", app: store.app.bundleId,
      environment: store.app.environment.rawValue)
  }
}
