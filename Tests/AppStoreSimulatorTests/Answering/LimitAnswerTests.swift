import AppStoreModel
import AppStoreSimulator
import Testing

struct LimitAnswerTests {
  private static let path = "/inApps/v1/transactions/1"

  @Test(arguments: [
    (APIEndpoint.transactionInfo, 180_000, 18_000), (.refundHistory, 36_000, 3_600),
    (.extend, 72_000, 7_200), (.requestTest, 3_600, 360), (.notificationHistory, 180_000, 18_000),
  ])
  func `a limit is an hour's, and the sandbox's a tenth`(
    endpoint: APIEndpoint, production: Int, sandbox: Int
  ) {
    let limits = HourlyLimits()
    #expect(limits.limit(endpoint, in: .production) == production)
    #expect(limits.limit(endpoint, in: .sandbox) == sandbox)
  }

  @Test func `one call too many waits for the next hour, told in milliseconds`() throws {
    var caller = Caller()
    caller.server.limits.stated[.transactionInfo] = 2
    #expect(caller.verdict("GET", Self.path) == "404 4040010")
    #expect(caller.verdict("GET", Self.path) == "404 4040010")
    let answer = caller.call("GET", Self.path)
    #expect(answer.status == 429)
    let hour: Int64 = 3_600_000
    let next = (caller.now.millisecondsSince1970 / hour + 1) * hour
    #expect(answer.headers.contains { $0.name == "Retry-After" && $0.value == String(next) })
    #expect(caller.verdict("GET", "/inApps/v2/history/1") == "404 4040010")
    #expect(caller.verdict("GET", "/sandbox" + Self.path) == "404 4040010")
    caller.now = Timestamp(millisecondsSince1970: next)
    #expect(caller.verdict("GET", Self.path) == "404 4040010")
  }

  @Test func `the wait is told by the host's clock, however far the store's is ahead`() {
    var caller = Caller()
    caller.server.limits.stated[.transactionInfo] = 0
    caller.server.limits.window = .minutes(1)
    caller.server.travel(TimeSpan(milliseconds: 86_400_500), at: caller.now)
    let field = caller.call("GET", Self.path).headers.first { $0.name == "Retry-After" }
    let wait = Int64(field?.value ?? "0").map { $0 - caller.now.millisecondsSince1970 } ?? 0
    #expect((1...60_000).contains(wait))
  }

  @Test func `a planned fault meets its endpoint as often as it says`() {
    var caller = Caller()
    caller.server.faults = [
      APIFault(APIAnswer(status: 502, type: "text/html"), at: .transactionInfo, count: 2)
    ]
    #expect(caller.verdict("GET", "/inApps/v2/history/1") == "404 4040010")
    #expect(caller.verdict("GET", Self.path) == "502")
    #expect(caller.verdict("GET", Self.path) == "502")
    #expect(caller.verdict("GET", Self.path) == "404 4040010")
  }

  @Test func `what a scenario plans for calls is met`() throws {
    let scenario = try #require(Scenario.named("35"))
    let store = try scenario.played(seed: 1, endingAt: Caller.now)
    var caller = Caller()
    caller.server = SimulatedServer(
      store, seed: 5, signer: JWSSigner(CertificateAuthority(seed: 5)), faults: scenario.faults,
      at: Caller.now)
    #expect(caller.verdict("GET", "/sandbox" + Self.path) == "429 4290000")
    #expect(caller.verdict("GET", "/sandbox" + Self.path) == "404 4040010")
    #expect(caller.verdict("GET", "/sandbox/inApps/v2/refund/lookup/1") == "401")
  }
}
