import AppStoreModel
import EntitlementKit
import EntitlementKitTesting
import Foundation
import Testing

/// What the developer hears when reports do not arrive, and that none is lost by it.
struct ReportTroubleTests {
  typealias Text = ReportQueue.Text

  private static let waits: [Int64] = [1, 4, 16, 64, 256, 1_024, 1_440, 1_440]

  @Test(arguments: [
    ReportingProblem.keyRefused("unauthenticated"), .keyRefused("HTTP 403"),
    .wrongAddress("HTTP 404"),
  ])
  func `what only another version mends keeps everything, and is asked less and less`(
    problem: ReportingProblem
  ) {
    var queue = Self.queue(250)
    let before = queue.bytes()
    for minutes in Self.waits {
      #expect(queue.settle(queue.nextBatch ?? [], .troubled(problem)) == .minutes(minutes))
      #expect(queue.problem == problem)
    }
    #expect(queue.bytes() == before)
    #expect(queue.settle(queue.nextBatch ?? [], .taken) == nil)
    #expect(queue.problem == nil)
    #expect(queue.count == 150)
  }

  @Test(arguments: [ReportingProblem.strangeAnswer("HTTP 200"), .unknownHost])
  func `what may pass by itself keeps everything, and is asked as a server that is down`(
    problem: ReportingProblem
  ) {
    var queue = Self.queue(3)
    let before = queue.bytes()
    let waits = (0..<4).map { _ in queue.settle(queue.nextBatch ?? [], .troubled(problem)) }
    #expect(waits == [.seconds(2), .seconds(4), .seconds(8), .seconds(16)])
    #expect(queue.problem == problem)
    #expect(queue.bytes() == before)
    // A server that is down afterwards does not take the word back.
    #expect(queue.settle(queue.nextBatch ?? [], .failed(retryAfter: nil)) == .seconds(32))
    #expect(queue.problem == problem)
  }

  @Test(arguments: [
    (
      "environmentForbidden", nil as TimeSpan?,
      ReportingProblem.keyRefused("environmentForbidden") as ReportingProblem?
    ),
    ("appForbidden", nil, .keyRefused("appForbidden")),
    ("chain.path", nil, .textRefused("chain.path")),
    ("environment", nil, .textRefused("environment")),
    ("rateLimited", .seconds(2), nil), ("overloaded", .seconds(2), nil),
    ("storeUnavailable", .seconds(2), nil), ("internalError", .seconds(2), nil),
  ])
  func `a text that the server refuses among others is kept, and keeps none from arriving`(
    reason: String, wait: TimeSpan?, problem: ReportingProblem?
  ) {
    var queue = ReportQueue()
    // The answer has transactions before renewals, in whatever order they came here.
    for text in [Text.renewal("r.1.c"), .transaction("t.1.c"), .transaction("t.2.c")] {
      _ = queue.add(text)
    }
    #expect(queue.settle(queue.nextBatch ?? [], .takenExcept([1: reason])) == wait)
    #expect(queue.problem == problem)
    #expect(queue.count == 1)
    #expect(queue.nextBatch == (problem == nil ? [.transaction("t.2.c")] : nil))
    #expect(ReportQueue(queue.bytes()).nextBatch == [.transaction("t.2.c")])
    // What was refused is no news when it is seen again, and what comes later still arrives.
    let isNews = [queue.add(.transaction("t.2.c")), queue.add(.transaction("t.3.c"))]
    #expect(isNews == [false, true])
    #expect(queue.nextBatch?.last == .transaction("t.3.c"))
  }

  @Test func `a word about the key goes before a word about a text`() {
    var queue = Self.queue(3)
    let reasons = [0: "chain.path", 1: "environmentForbidden", 2: "chain.path"]
    #expect(queue.settle(queue.nextBatch ?? [], .takenExcept(reasons)) == nil)
    #expect(queue.problem == .keyRefused("environmentForbidden"))
  }

  @Test func `a limit that lets nothing pass is not asked for each of a thousand texts`() {
    var queue = Self.queue(1_000)
    var requests = 0
    var waited = TimeSpan.zero
    while waited < .days(1), let batch = queue.nextBatch {
      requests += 1
      waited =
        TimeSpan(
          milliseconds: waited.milliseconds
            + (queue.settle(batch, .refused(.tooLarge))?.milliseconds ?? 0))
    }
    #expect(requests == 16)
    #expect(queue.count == 1_000)
    #expect(
      Set(Self.texts(of: ReportQueue(queue.bytes()))) == Set(Self.texts(of: Self.queue(1_000))))
  }

  @Test func `news goes before what was refused when there is no room for both`() {
    var queue = Self.queue(1_000)
    _ = queue.settle(queue.nextBatch ?? [], .takenExcept([0: "chain.path"]))
    #expect(queue.count == 901)
    for number in 0..<100 { _ = queue.add(.transaction("b.\(number).c")) }
    #expect(queue.count == 1_000)
    let left = ReportQueue(queue.bytes())
    #expect(!Self.texts(of: left).contains(.transaction("a.0.c")))
    #expect(Self.texts(of: left).contains(.transaction("a.100.c")))
    _ = queue.settle(queue.nextBatch ?? [], .taken)
    #expect(queue.problem == nil)
  }

  @Test(arguments: [
    ("1.2 (3)", true), (String(repeating: "9", count: 50), true),
    (String(repeating: "9", count: 51), false), ("1\n2", false), ("1\u{7F}", false),
  ])
  func `a version that the server would refuse keeps no report from arriving`(
    version: String, isStated: Bool
  ) {
    let body = ReportQueue.body([.transaction("a.b.c")], appVersion: version)
    #expect(String(decoding: body, as: UTF8.self).contains("appVersion") == isStated)
  }

  @Test func `the developer hears of a wrong key once, and that it is mended`() async {
    let (server, device, storage) = (PretendServer(), SimulatedDevice(), MemoryCache())
    let heard = Heard()
    server.answer(.troubled(.keyRefused("unauthenticated")))
    let reporter = Reporter(
      transport: server, clock: SimulatedClock(device), storage: storage, aloud: heard.hear)
    let id = device.buyNonConsumable("pro.lifetime")
    let kit = Entitlements(
      [Stage.pro], connection: SimulatedConnection(device), clock: SimulatedClock(device),
      cache: MemoryCache(), reporter: reporter)
    #expect(kit.reportingProblem == nil)
    let changes = kit.changes
    #expect(await kit.becomes { $0.reportingProblem == .keyRefused("unauthenticated") })
    #expect(await kit.becomes("entitled"))
    for (place, minutes) in Self.waits.prefix(3).enumerated() {
      #expect(await kit.becomes { _ in device.sleeperCount > 0 })
      device.advance(by: TimeSpan.minutes(minutes).adding(.seconds(-1)))
      #expect(server.bodies.count == place + 1)
      device.advance(seconds: 1)
      #expect(await kit.becomes { _ in server.bodies.count == place + 2 })
    }
    // Refunds go on to be seen, and wait with the rest.
    device.refund(id)
    #expect(await kit.becomes("refunded"))
    #expect(await kit.becomes { _ in ReportQueue(storage.read() ?? []).count == 2 })
    server.answer(.taken)
    #expect(await kit.becomes { _ in device.sleeperCount > 0 })
    device.advance(hours: 25)
    #expect(await kit.becomes { $0.reportingProblem == nil })
    for _ in 0..<10_000 where await reporter.pending > 0 {
      try? await Task.sleep(nanoseconds: 1_000_000)
    }
    #expect(ReportQueue(storage.read() ?? []).count == 0)
    #expect(
      await Self.words(of: changes)
        == ["failed keyRefused(\"unauthenticated\")", "resumed"])
    #if DEBUG
      #expect(heard.lines.count == 1)
      let line = heard.lines.first ?? ""
      #expect(line.hasPrefix("EntitlementKit: REPORTS DO NOT ARRIVE: "))
      #expect(line.contains("the server refuses the publishable key: unauthenticated."))
      #expect(line.contains("clawback keys create"))
    #else
      #expect(heard.lines.isEmpty)
    #endif
    withExtendedLifetime(kit) {}
  }

  /// What was told of reports, to the first that they arrive again.
  private static func words(of changes: AsyncStream<EntitlementChange>) async -> [String] {
    var words: [String] = []
    for await change in changes {
      if case .reportingFailed(let problem) = change {
        words.append("failed \(Self.name(problem))")
      }
      if case .reportingResumed = change { return words + ["resumed"] }
    }
    return words
  }

  private static func name(_ problem: ReportingProblem) -> String {
    if case .keyRefused(let code) = problem { "keyRefused(\"\(code)\")" } else { "another" }
  }

  private static func queue(_ count: Int) -> ReportQueue {
    var queue = ReportQueue()
    for number in 0..<count { _ = queue.add(.transaction("a.\(number).c")) }
    return queue
  }

  private static func texts(of queue: ReportQueue) -> [Text] {
    var queue = queue
    var texts: [Text] = []
    while let batch = queue.nextBatch {
      texts += batch
      _ = queue.settle(batch, .taken)
    }
    return texts
  }
}

/// What was said aloud.
private final class Heard: @unchecked Sendable {
  private let lock = NSLock()
  private var said: [String] = []

  var lines: [String] { lock.withLock { said.map { $0 } } }

  func hear(_ line: String) { lock.withLock { said.append(line) } }
}
