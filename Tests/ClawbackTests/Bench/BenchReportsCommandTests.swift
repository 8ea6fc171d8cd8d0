import AppStoreModel
import ContractSupport
import Testing

@testable import clawback

struct BenchReportsCommandTests {
  @Test func `every report is read to its end, and what is printed is as described`() throws {
    let captured = CapturedConsole()
    let code = Dispatcher(commands: CommandList.all).run(
      ["bench", "reports", "--purchases", "100", "--json"], on: captured.console())
    #expect(code == .success, "\(captured.diagnostics)")
    #expect(try JSONSchema("bench-reports").findings(in: captured.output) == [])
    let result = try JSONValue(json: Array(captured.output.utf8))
    #expect(result["refunds"]?.integer == 10)
    #expect(result["spends"]?.integer == 20)
    let lines = ReportBenchResult(
      purchases: 5, refunds: 1, spends: 2,
      reports: [.init(name: "signals", firstPage: 0.01234, whole: 0.5, pages: 2)], peakMemory: 9
    ).lines
    #expect(
      lines == [
        "5 purchases, 1 refunds, 2 spends; at most 9 MiB",
        "signals: 500.0 ms in 2 pages, the first in 12.3 ms",
      ])
  }
}
