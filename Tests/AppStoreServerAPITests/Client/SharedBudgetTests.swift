import AppStoreModel
import AppStoreVerification
import Synchronization
import Testing

@testable import AppStoreServerAPI

struct SharedBudgetTests {
  private final class Meter: Sendable {
    let moments = Mutex<[Int64]>([])
    let running = Mutex((now: 0, most: 0))
  }

  private static func settings(perHour: Int64, _ endpoint: Endpoint) -> ClientSettings {
    var settings = ClientSettings()
    settings.limits.set(HourlyLimit(callsPerHour: perHour), for: endpoint)
    return settings
  }

  @Test func `four workers together stay inside the limit of every hour`() async throws {
    let clock = TurningClock()
    let meter = Meter()
    let transport = ScriptedTransport { _, _ in
      meter.moments.withLock { $0.append(clock.now.millisecondsSince1970) }
      return .success(SampleClient.transaction)
    }
    let client = try AppStoreServerClient(
      .sample(), Self.settings(perHour: 400, .transactionInfo), transport, clock.clock,
      SystemRandomNumberGenerator())
    let options = CallOptions(.production, patience: .hours(20))
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for number in 0..<250 { _ = try? await client.transactionInfo("\(number)", options) }
        }
      }
    }
    let moments = meter.moments.withLock { $0.sorted() }
    #expect(moments.count == 1_000)
    for (index, moment) in moments.enumerated() where index >= 400 {
      #expect(moment - moments[index - 400] >= 3_600_000)
    }
  }

  @Test func `whoever comes with a refund overtakes the long walk`() async throws {
    let clock = TurningClock()
    let order = Mutex<[String]>([])
    let transport = ScriptedTransport { call, _ in
      order.withLock { $0.append(call.url.split(separator: "/").last.map(String.init) ?? "") }
      return .success(SampleClient.transaction)
    }
    let settings = Self.settings(perHour: 100, .transactionInfo)
    // The clock stands still until it is turned, so that everybody is in the queue before.
    let gate = Gate()
    let still = APIClock(now: { clock.now }) { moment in
      await gate.wait()
      await clock.clock.sleep(moment)
    }
    let client = try AppStoreServerClient(
      .sample(), settings, transport, still, SystemRandomNumberGenerator())
    _ = try await client.transactionInfo("first", CallOptions(.production))
    await withTaskGroup { group in
      for (id, urgency) in [("walk", Urgency.background), ("usual", .normal), ("refund", .urgent)] {
        group.addTask {
          let options = CallOptions(.production, urgency: urgency, patience: .hours(9))
          _ = try? await client.transactionInfo(id, options)
        }
      }
      while client.load(.transactionInfo, in: .production).waiting < 3 { await Task.yield() }
      await gate.open()
    }
    #expect(order.withLock { $0 } == ["first", "refund", "usual", "walk"])
  }

  @Test func `patience that cannot be kept is refused at once`() async throws {
    let sample = try SampleClient(
      Self.settings(perHour: 100, .transactionInfo),
      ScriptedTransport([.success(SampleClient.transaction)]))
    #expect(await sample.ask() == .success("a.b.c"))
    let until = TurningClock.start.adding(.seconds(40))
    let hurry = CallOptions(.production, patience: .seconds(39))
    #expect(await sample.ask(hurry) == .failure(.budgetSpent(until: until)))
    #expect(sample.clock.now == TurningClock.start)
    #expect(await sample.ask(CallOptions(.production, patience: .seconds(41))) == .success("a.b.c"))
    #expect(sample.clock.now == until)
  }

  @Test func `no more than so many are on their way`() async throws {
    let meter = Meter()
    let transport = SlowTransport { change in
      meter.running.withLock {
        $0.now += change
        $0.most = max($0.most, $0.now)
      }
    }
    var settings = ClientSettings()
    settings.mostRunning = 3
    let client = try AppStoreServerClient(
      .sample(), settings, transport, .system, SystemRandomNumberGenerator())
    await withTaskGroup { group in
      for number in 0..<30 {
        group.addTask {
          _ = try? await client.transactionInfo("\(number)", CallOptions(.production))
        }
      }
    }
    #expect(meter.running.withLock { $0.most } == 3)
    #expect(meter.running.withLock { $0.now } == 0)
  }
}

/// Holds back whoever waits until it is opened.
private actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait() async {
    if !isOpen { await withCheckedContinuation { waiting.append($0) } }
  }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// Takes a few turns of the scheduler for every answer.
private struct SlowTransport: HTTPTransport {
  let count: @Sendable (Int) -> Void

  func send(_ call: HTTPCall) async throws(TransportFailure) -> HTTPAnswer {
    count(1)
    for _ in 0..<20 { await Task.yield() }
    count(-1)
    return SampleClient.transaction
  }
}
