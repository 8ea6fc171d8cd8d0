import AppStoreModel
import AppStoreSimulator
import Foundation
import HTTPListener
import LedgerStorage
import Synchronization
import Testing

/// A backend behind a webhook, which outlives the server that posts to it.
private final class WebhookConsumer: RequestHandler {
  struct State {
    var ids: Set<String> = []
    var repeats = 0
    /// What came for a customer without the version before it.
    var gaps: [String] = []
    var versions: [String: Int64] = [:]
  }

  private let state = Mutex(State())

  var told: State { state.withLock { $0 } }

  func handle(_ request: HTTPRequest, reply: Reply) {
    if let event = try? JSONValue(json: request.body) {
      state.withLock { Self.apply(event, to: &$0) }
    }
    reply.send(HTTPResponse(status: 204))
  }

  private static func apply(_ event: JSONValue, to state: inout State) {
    guard let id = event["id"]?.string else { return }
    guard state.ids.insert(id).inserted else {
      state.repeats += 1
      return
    }
    guard let customer = event["customer"]?.string, let version = event["version"]?.integer else {
      return
    }
    // A version may have several events, and a first sight of one is never older than what is applied.
    let last = state.versions[customer, default: 0]
    if version < last || version > last + 1 { state.gaps.append(id) }
    state.versions[customer] = max(last, version)
  }

  func refusal(_ reason: Refusal, id: String) -> HTTPResponse { HTTPResponse(status: 400) }
}

/// A served ledger that is killed between its commits and what it sends.
struct WebhookCrashTests {
  @Test(.timeLimit(.minutes(4)))
  func `kill -9 between commit and send loses no delivery, and versions never go backwards`()
    throws
  {
    let consumer = WebhookConsumer()
    let address = try #require(BindAddress(host: "127.0.0.1", port: 0))
    let receiver = try #require(
      HTTPServer(address, loops: 1, limits: HTTPLimits(), handler: consumer))
    defer { receiver.stop() }
    let url = "http://127.0.0.1:\(receiver.port)/hook"
    let store = try BusyStore(customers: 40, seed: 6)
    let site = try store.site()
    try site.rewrite("webhooks: { trustedURLs: [\"\(url)\"] }")
    var dice = SeededGenerator(seed: 6)
    for round in 1...3 {
      let served = try ServedProcess(site)
      if round == 1 { try makeEndpoint(url, store, site) }
      let order = store.notifications.indices.shuffled(using: &dice)
      let posters = Posters(4, url: served.url, texts: store.notifications, order: order)
      while posters.acknowledged.count < round * 50 { sched_yield() }
      served.crash()
      posters.wait()
    }
    let served = try ServedProcess(site)
    Posters(
      4, url: served.url, texts: store.notifications, order: Array(store.notifications.indices)
    ).wait()
    let key = try site.key(
      "reader", scope: "read", app: store.app.bundleId,
      environment: store.app.environment.rawValue)
    // The time limit ends a wait for what never comes.
    while try !served.get("/metrics", key: key).contains(Self.lag) { sched_yield() }
    #expect(served.stop() == 0)
    let told = try site.inspect { try $0.events(after: 0, limit: 100_000) }
    #expect(consumer.told.ids == Set(told.map(\.id.text)))
    #expect(consumer.told.gaps == [])
  }

  private static var lag: Regex<Substring> { /clawback_delivery_lag\{[^}]*\} 0\n/ }

  private func makeEndpoint(_ url: String, _ store: BusyStore, _ site: ServedSite) throws {
    let made = try ServedProcess.run([
      "webhooks", "create", url, "--environment", store.app.environment.rawValue, "--config",
      site.configuration,
    ])
    #expect(made.code == 0, "\(made.diagnostics)")
    #expect(made.output.hasPrefix("whsec_"))
  }
}
