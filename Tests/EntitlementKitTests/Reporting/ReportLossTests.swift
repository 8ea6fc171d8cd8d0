import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

/// What becomes of reports when the app is ended, the file damaged or the disk full.
struct ReportLossTests {
  private let device = SimulatedDevice()
  private let server = PretendServer()

  private func kit(
    _ cache: any EntitlementCache, _ queue: any EntitlementCache, _ transport: any ReportTransport
  ) -> (Entitlements, Reporter) {
    let reporter = Reporter(
      transport: transport, clock: SimulatedClock(device), storage: queue)
    let kit = Entitlements(
      [Stage.pro], connection: SimulatedConnection(device), clock: SimulatedClock(device),
      cache: cache, reporter: reporter)
    return (kit, reporter)
  }

  /// A server that an ended app reaches no more.
  private struct Line: ReportTransport {
    let life: MortalDisk.Life
    let server: PretendServer

    func send(_ body: [UInt8], of batch: [ReportQueue.Text]) async -> ReportQueue.Outcome {
      life.isOver ? .failed(retryAfter: nil) : await server.send(body, of: batch)
    }
  }

  @Test(arguments: 1..<18)
  func `an app that is ended at any write reports everything at its next launch`(
    writes: Int
  ) async {
    let disk = MortalDisk()
    let lifetime = device.buyNonConsumable("pro.lifetime")
    let monthly = device.subscribe(to: "pro.monthly")
    let first = disk.life(writes: writes)
    do {
      let (kit, _) = kit(
        first.file("cache"), first.file("queue"), Line(life: first, server: server))
      #expect(await kit.becomes("entitled"))
      device.advance(seconds: 1)
      device.refund(lifetime)
      #expect(await kit.becomes { $0.pro.transactionID == monthly })
      device.advance(seconds: 1)
      device.setAutoRenew(monthly, false)
      device.refund(monthly)
      #expect(await kit.becomes("refunded"))
      await kit.settled()
    }
    first.end()
    device.advance(hours: 1)
    let second = disk.life(writes: .max)
    let (kit, _) = kit(
      second.file("cache"), second.file("queue"), Line(life: second, server: server))
    #expect(await kit.becomes { $0.storeState == .live })
    for id in [lifetime, monthly] {
      let isReported = await kit.becomes { kit in
        kit.signedTransaction(id).map { text in server.bodies.contains { $0.contains(text) } }
          ?? false
      }
      #expect(isReported)
    }
  }

  @Test func `a full disk stops no answer and no report, and is told`() async {
    let cache = CrowdedDisk()
    let queue = CrowdedDisk()
    cache.fill(true)
    queue.fill(true)
    let id = device.buyNonConsumable("pro.lifetime")
    let (kit, reporter) = kit(cache, queue, server)
    let changes = kit.changes
    #expect(await kit.becomes("entitled"))
    device.advance(seconds: 1)
    device.refund(id)
    #expect(await kit.becomes("refunded"))
    let told = await changes.first { change in
      if case .cacheIgnored(.unwritable) = change { true } else { false }
    }
    #expect(told != nil)
    #expect(await kit.becomes { _ in server.bodies.count >= 2 })
    #expect(cache.read() == nil)
    cache.fill(false)
    queue.fill(false)
    server.answer(.failed(retryAfter: nil))
    device.advance(seconds: 1)
    device.reverseRefund(id)
    #expect(await kit.becomes("entitled"))
    #expect(await kit.becomes { _ in ReportQueue(queue.read() ?? []).count > 0 })
    #expect(await reporter.pending == ReportQueue(queue.read() ?? []).count)
    #expect(cache.read() != nil)
  }

  @Test(arguments: [
    ([], 0), ([0xFF, 0xFE, 0x00, 0x0A, 0xC3], 0), (Array("t a.b\nt a.b.c.d\nq a.b.c".utf8), 0),
    (Array("t a.b.c\nt a.b".utf8), 1), (Array("\n\n\nt a.b.c\n\0\nr d.e.f\n".utf8), 2),
    (Array("t a.b.c\nt a.b.c\n".utf8), 1),
    (Array((0..<5_000).map { "t a.\($0).c" }.joined(separator: "\n").utf8), 1_000),
  ])
  func `a damaged queue gives what is whole in it, and never more than its bound`(
    bytes: [UInt8], count: Int
  ) async {
    #expect(ReportQueue(bytes).count == count)
    let (kit, reporter) = kit(MemoryCache(), MemoryCache(bytes), server)
    let id = device.buyNonConsumable("pro.lifetime")
    let isReported = await kit.becomes { kit in
      kit.signedTransaction(id).map { text in server.bodies.contains { $0.contains(text) } }
        ?? false
    }
    #expect(isReported)
    withExtendedLifetime(reporter) {}
  }

  @Test func `what the server refuses whole is halved until one text is held back`() {
    var queue = ReportQueue()
    for number in 0..<8 { _ = queue.add(.transaction("a.\(number).c")) }
    var sent: [Int] = []
    var taken: Set<ReportQueue.Text> = []
    while let batch = queue.nextBatch {
      sent.append(batch.count)
      let isGood = !batch.contains(.transaction("a.5.c"))
      if isGood { taken.formUnion(batch) }
      let outcome = isGood ? ReportQueue.Outcome.taken : .refused(.tooLarge)
      #expect(queue.settle(batch, outcome) == nil)
      #expect(sent.count < 30)
    }
    #expect(taken.count == 7)
    #expect(sent.first == 8)
    #expect(queue.problem == .tooLarge)
    #expect(queue.count == 1)
    #expect(ReportQueue(queue.bytes()).nextBatch == [.transaction("a.5.c")])
  }
}
