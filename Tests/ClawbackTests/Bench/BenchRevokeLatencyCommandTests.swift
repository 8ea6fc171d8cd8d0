import ContractSupport
import Testing

@testable import clawback

struct BenchRevokeLatencyCommandTests {
  @Test func `times are the values that half, almost all and all of the refunds keep to`() {
    let times = RevocationBenchResult.Times(
      seconds: (1...200).reversed().map { Double($0) / 1_000 }, budget: 250)
    #expect(times.p50 == 100)
    #expect(times.p99 == 198)
    #expect(times.worst == 200)
    #expect(RevocationBenchResult.Times(seconds: [0.0123456], budget: 250).p99 == 12.35)
  }

  @Test
  func `refunds close the gate, reach stream and webhook, and what is printed is as described`()
    throws
  {
    let captured = CapturedConsole()
    let words = ["bench", "revoke-latency", "--refunds", "10", "--seconds", "1", "--json"]
    let code = Dispatcher(commands: CommandList.all).run(words, on: captured.console())
    #expect(code == .success, "\(captured.diagnostics)")
    #expect(try JSONSchema("bench-revoke-latency").findings(in: captured.output) == [])
  }
}
