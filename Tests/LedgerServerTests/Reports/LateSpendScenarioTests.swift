import AppStoreModel
@testable import AppStoreSimulator
import ContractSupport
import Synchronization
import Testing

@testable import LedgerServer

/// What knowing late cost, in three stories computed by hand.
struct LateSpendScenarioTests {
  @Test
  func `a device knew first: what was spent before it told is unseen, what came later ignored`()
    throws
  {
    let story = try SpendStory()
    defer { story.served.stop() }
    try story.spend(5_000)  // before
    story.wait(.days(1))
    try story.refund()
    story.wait(.hours(1))
    try story.spend(2_500)  // unseen, an hour after Apple's date
    let settledLater = try #require(try story.hold(1_250))
    _ = try #require(try story.hold(750))  // open when the device tells, and never spent
    story.wait(.hours(2))
    try story.reportByDevice()
    #expect(try story.hold(1) == nil)
    story.wait(.hours(1))
    try story.settle(settledLater, 1_250)  // ignored: an hour after the device had told
    story.wait(.hours(1))
    _ = try story.served.deliver()

    let line = try #require(try story.line())
    let refunded = story.refundedAt
    #expect(line["firstChannel"]?.string == "device")
    #expect(line.hours("refundedAtMs", after: refunded) == 0)
    #expect(line.hours("firstSeenAtMs", after: refunded) == 3)
    #expect(line.hours("deviceClaimsAtMs", after: refunded) == 3)
    #expect(Self.channels(line) == ["device 3 h", "notification 5 h"])
    #expect(line.amounts("before") == "5000000 USD")
    #expect(line.amounts("unseen") == "2500000 USD")
    #expect(line.amounts("ignored") == "1250000 USD")
    #expect(line["stoppedHolds"]?["count"]?.integer == 1)
    #expect(line.amounts("stoppedHolds") == "750000 USD")
    #expect(line["netRefundMilliunits"]?.integer == 9_990)
    #expect(line["isBackfilled"] == .bool(false))
    #expect(try JSONSchema("late-spend").findings(in: try story.report().body) == [])
  }

  @Test func `only the notification knew: everything between Apple's date and it is unseen`() throws
  {
    let story = try SpendStory()
    defer { story.served.stop() }
    try story.spend(100)  // before
    story.wait(.days(2))
    try story.spend(200)  // before
    story.wait(.minutes(1))
    try story.refund()
    try story.spend(1_000)  // unseen, in the moment of the refund
    story.wait(.minutes(20))
    try story.spend(30)  // unseen
    story.wait(.minutes(10))
    _ = try story.served.deliver()
    #expect(try story.hold(1) == nil)

    let line = try #require(try story.line())
    #expect(line["firstChannel"]?.string == "notification")
    #expect(line.hours("firstSeenAtMs", after: story.refundedAt) == 0.5)
    #expect(line["deviceClaimsAtMs"] == nil)
    #expect(Self.channels(line) == ["notification 0 h"])
    #expect(line.amounts("before") == "300000 USD")
    #expect(line.amounts("unseen") == "1030000 USD")
    #expect(line.amounts("ignored") == "")
    #expect(line["stoppedHolds"]?["count"]?.integer == 0)
  }

  @Test func `only polling found it: three days of spend were unseen`() async throws {
    let questions = Mutex<SimulatedQuestions?>(nil)
    let story = try SpendStory(
      appStore: AppStoreSource { _, environment throws(ServiceError) in
        guard environment == .sandbox else { return nil }
        let app = SimulatedApp(environment: .sandbox)
        let stage = Stage(SimulatedAppStore(app: app, seed: 1), at: ServedLedger.start)
        let signer = NotificationSigner(JWSSigner(CertificateAuthority(seed: 1)))
        return questions.withLock { known in
          let made = SimulatedQuestions(stage, signer)
          known = made
          return made
        }
      })
    defer { story.served.stop() }
    try story.spend(4_000)  // before
    story.wait(.days(1))
    try story.refund()
    for _ in 0..<3 {
      story.wait(.days(1))
      try story.spend(300)  // unseen, one, two and three days after Apple's date
    }
    let settledLater = try #require(try story.hold(70))
    story.wait(.hours(1))
    let asked = try #require(questions.withLock { $0 })
    // Apple's history of notifications says nothing of the refund: only the purchase itself does.
    let stage = story.served.stage
    asked.change { state in
      state.stage = stage
      state.stage.store.notifications = []
    }
    story.served.service.reconciliation.requestPass()
    let end = ContinuousClock.now + .seconds(60)
    while try story.line()?["firstSeenAtMs"] == nil, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try story.hold(1) == nil)
    story.wait(.hours(5))
    try story.settle(settledLater, 70)  // ignored

    let line = try #require(try story.line())
    #expect(line["firstChannel"]?.string == "poll")
    #expect(Self.channels(line) == ["poll 73 h"])
    #expect(line.amounts("before") == "4000000 USD")
    #expect(line.amounts("unseen") == "900000 USD")
    #expect(line.amounts("ignored") == "70000 USD")
    let signals = try story.served.call("GET /v1/reports/signals", .read).body
    #expect(try JSONSchema("signals").findings(in: signals) == [])
    let missed = try JSONValue(json: Array(signals.utf8))["channels"]?.array ?? []
    #expect(missed.compactMap { $0["missedAlone"]?.integer } == [1, 1, 1, 0, 1])
  }

  private static func channels(_ line: JSONValue) -> [String] {
    (line["channels"]?.array ?? []).map { channel in
      let hours = (channel["delayMs"]?.integer ?? 0) / 3_600_000
      return "\(channel["channel"]?.string ?? "") \(hours) h"
    }
  }
}
