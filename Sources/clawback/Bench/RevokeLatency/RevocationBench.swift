import AppStoreModel
import AppStoreSimulator
import Glibc
import HTTPListener
import Synchronization

/// A server, what is posted to it, and who watches what it does.
final class RevocationBench {
  /// How many post at the same time.
  private static let posters = 4
  /// How many customers one simulated store has: it looks through all of them now and then.
  private static let storeSize = 400

  private let signer: NotificationSigner
  private let webhooks: WebhookWatch
  private let server: DemoServer
  private let targets: [(customer: String, refund: String)]
  private var seed: UInt64 = 1_000
  private var isStopped = false

  /// Starts the server, and has every purchase made that will be refunded.
  init(refunds: Int) throws {
    let authority = CertificateAuthority(seed: 7)
    signer = NotificationSigner(JWSSigner(authority))
    webhooks = try WebhookWatch()
    server = try DemoServer(
      trusting: authority.root.der, port: 0, trustedWebhooks: [webhooks.url])
    var targets: [(customer: String, refund: String)] = []
    var purchases: [String] = []
    while targets.count < refunds {
      let count = min(Self.storeSize, refunds - targets.count)
      let made = try Self.refundable(count, seed: UInt64(targets.count + 1), signer)
      targets += made.targets
      purchases += made.purchases
    }
    self.targets = targets
    try post(purchases)
  }

  func stop() {
    guard !isStopped else { return }
    server.stop()
    webhooks.stop()
    isStopped = true
  }

  /// Measures the rate, then times every refund at half of it.
  func measure(seconds: Int) throws -> RevocationBenchResult {
    let rate = try fullRate(seconds: Double(seconds))
    let spacing = 0.02
    let needed = Int(rate / 2 * (Double(targets.count) * (spacing + 0.01) + 1))
    let background = BackgroundPosts(
      try subscriptions(min(needed, 60_000)), to: url, rate: rate / 2, posters: Self.posters)
    let stream = try StreamWatch(base: server.base, key: server.key)
    try server.makeWebhook(webhooks.url)
    background.start()
    var all: [Delays] = []
    for target in targets {
      all.append(try time(target, stream))
      usleep(UInt32(spacing * 1_000_000))
    }
    let posted = background.stop()
    return RevocationBenchResult(
      refunds: targets.count, measuredRate: rate, backgroundRate: posted,
      gateDenies: .init(seconds: all.map(\.gate), budget: 50),
      eventStreamed: .init(seconds: all.map(\.stream), budget: 100),
      webhookReceived: .init(seconds: all.map(\.webhook), budget: 250))
  }

  private var url: String { server.base + "/apple/notifications" }

  /// From just before a refund is posted until each way knows of it.
  ///
  /// Unit: seconds.
  private struct Delays {
    let gate: Double
    let stream: Double
    let webhook: Double
  }

  /// Posts one refund, and asks the gate until it is closed.
  private func time(
    _ target: (customer: String, refund: String), _ stream: StreamWatch
  ) throws -> Delays {
    let poster = try NotificationPoster(url: url)
    let gate = DemoGate(
      base: server.base, key: server.key,
      connection: try HTTPConnection(timeoutMilliseconds: 30_000))
    _ = try gate.access(target.customer, DemoStory.entitlement)
    let status = Mutex<Int?>(nil)
    let begun = WallClock.steadySeconds
    let (payload, box) = (target.refund, Unchecked(poster))
    let thread = WorkerThread {
      let answer = try? box.value.post(payload)
      status.withLock { $0 = answer ?? 0 }
    }
    defer { thread.join() }
    while try gate.ask(for: target.customer, DemoStory.entitlement).verdict != "deny" {
      let status = status.withLock { $0 }
      guard status == nil || status == 200, WallClock.steadySeconds - begun < 30 else {
        throw CommandFailure("A refund was posted and the gate stayed open.")
      }
    }
    let closed = WallClock.steadySeconds
    let streamed = try stream.moments.awaited(target.customer, "no event came on the stream")
    let received = try webhooks.moments.awaited(target.customer, "no webhook came")
    return Delays(gate: closed - begun, stream: streamed - begun, webhook: received - begun)
  }

  /// How many notifications a second are taken in, with all posters at work.
  private func fullRate(seconds: Double) throws -> Double {
    var (taken, spent) = (0, 0.0)
    while spent < seconds {
      // Signing takes its time too, so it is done before the clock runs.
      let background = BackgroundPosts(
        try subscriptions(5 * Self.storeSize), to: url, rate: .infinity, posters: Self.posters)
      background.start()
      let (count, seconds) = background.finish()
      taken += count
      spent += seconds
    }
    return Double(taken) / spent
  }

  private func post(_ payloads: [String]) throws {
    let poster = try NotificationPoster(url: url)
    for payload in payloads {
      guard try poster.post(payload) == 200 else {
        throw CommandFailure("The server refused a notification.")
      }
    }
  }

  /// Notifications of new subscriptions, signed in advance.
  private func subscriptions(_ count: Int) throws -> [String] {
    var signed: [String] = []
    while signed.count < count {
      seed += 1
      let size = min(Self.storeSize, count - signed.count)
      signed += try Self.refundable(size, seed: seed, signer, refunds: false).purchases
    }
    return signed
  }

  private static func refundable(
    _ count: Int, seed: UInt64, _ signer: NotificationSigner, refunds: Bool = true
  ) throws -> (targets: [(customer: String, refund: String)], purchases: [String]) {
    let begin = WallClock.now.subtracting(.hours(1))
    var stage = Stage(SimulatedAppStore(app: SimulatedApp(), seed: seed), at: begin)
    var bought: [(customer: Customer, transactionId: String)] = []
    for number in 0..<count {
      let customer = stage.store.enroll("\(seed)-\(number)")
      bought.append((customer, try stage.buy(.pro, customer)))
    }
    let purchases = stage.store.notifications.map(signer.sign)
    guard refunds else { return ([], purchases) }
    stage.wait(.minutes(30))
    var targets: [(customer: String, refund: String)] = []
    for purchase in bought {
      let before = stage.store.notifications.count
      try stage.refund(purchase.transactionId)
      guard let token = purchase.customer.appAccountToken,
        let refund = stage.store.notifications[before...].first
      else { continue }
      targets.append((token.lowercased(), signer.sign(refund)))
    }
    return (targets, purchases)
  }
}

extension RevocationMoments {
  /// When the customer's revocation was noted; fails by saying what is missing.
  fileprivate func awaited(_ customer: String, _ missing: String) throws -> Double {
    guard let moment = moment(of: customer, patience: 30) else {
      throw CommandFailure("A refund was posted and \(missing).")
    }
    return moment
  }
}

/// Hands a value to the one thread that uses it.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
