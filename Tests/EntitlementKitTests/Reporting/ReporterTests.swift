import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

struct ReporterTests {
  @Test func `a refund is reported as it is seen, and a server that is down stops nothing`() async {
    let server = PretendServer()
    let storage = MemoryCache()
    let device = SimulatedDevice()
    let id = device.buyNonConsumable("pro.lifetime")
    let reporter = Reporter(
      transport: server, clock: SimulatedClock(device), storage: storage, appVersion: "1.0")
    let kit = Entitlements(
      [Stage.pro], connection: SimulatedConnection(device), clock: SimulatedClock(device),
      cache: MemoryCache(), reporter: reporter)
    #expect(await kit.becomes("entitled"))
    #expect(await kit.becomes { _ in server.bodies.count == 1 })
    server.answer(.failed(retryAfter: nil))
    device.advance(seconds: 1)
    device.refund(id)
    #expect(await kit.becomes("refunded"))
    #expect(await kit.becomes { _ in server.bodies.count == 2 })
    #expect(await reporter.pending == 1)
    #expect(ReportQueue(storage.read() ?? []).count == 1)
    server.answer(.taken)
    #expect(await kit.becomes { _ in device.sleeperCount > 0 })
    device.advance(seconds: 2)
    #expect(await kit.becomes { _ in server.bodies.count == 3 })
    #expect(server.bodies.last == server.bodies.dropLast().last)
    for _ in 0..<10_000 where await reporter.pending > 0 {
      try? await Task.sleep(nanoseconds: 1_000_000)
    }
    #expect(await reporter.pending == 0)
  }

  @Test(arguments: [AppStoreEnvironment.production, .sandbox, .xcode, .localTesting])
  func `what a developer's own machine has signed is not reported`(
    place: AppStoreEnvironment
  ) async {
    let device = SimulatedDevice()
    device.mutate { $0.environment = place }
    let id = device.subscribe(to: "pro.monthly")
    let server = PretendServer()
    let reporter = Reporter(
      transport: server, clock: SimulatedClock(device), storage: MemoryCache())
    let kit = Entitlements(
      [Stage.pro], connection: SimulatedConnection(device), clock: SimulatedClock(device),
      cache: MemoryCache(), reporter: reporter)
    #expect(await kit.becomes("entitled"))
    device.advance(seconds: 1)
    device.refund(id)
    #expect(await kit.becomes("refunded"))
    await kit.refresh()
    let isReported = place == .production || place == .sandbox
    let text = kit.signedTransaction(id) ?? "none"
    #expect(
      await kit.becomes { _ in server.bodies.contains { $0.contains(text) } || !isReported })
    #expect(server.bodies.isEmpty != isReported)
    #expect(await reporter.pending == 0 || isReported)
  }

  @Test func `what an earlier run could not send is sent at the next launch`() async {
    var queue = ReportQueue()
    _ = queue.add(.transaction("a.b.c"))
    let server = PretendServer()
    let device = SimulatedDevice()
    let reporter = Reporter(
      transport: server, clock: SimulatedClock(device), storage: MemoryCache(queue.bytes()))
    let kit = Entitlements(
      [Stage.pro], connection: SimulatedConnection(device), clock: SimulatedClock(device),
      cache: MemoryCache(), reporter: reporter)
    #expect(await kit.becomes { _ in server.bodies.count == 1 })
    #expect(server.bodies == [#"{"signedTransactions":["a.b.c"],"signedRenewals":[]}"#])
  }
}

/// Keeps what it is sent, and answers as it is told.
final class PretendServer: ReportTransport, @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [String] = []
  private var outcome = ReportQueue.Outcome.taken

  /// A copy that shares no memory with what the next request is added to.
  var bodies: [String] { lock.withLock { kept.map { $0 } } }

  func answer(_ outcome: ReportQueue.Outcome) { lock.withLock { self.outcome = outcome } }

  func send(_ body: [UInt8], of batch: [ReportQueue.Text]) async -> ReportQueue.Outcome {
    lock.withLock {
      kept.append(String(decoding: body, as: UTF8.self))
      return outcome
    }
  }
}
