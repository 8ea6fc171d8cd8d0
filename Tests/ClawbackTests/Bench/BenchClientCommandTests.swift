import AppStoreModel
import ContractSupport
import Testing

@testable import clawback

struct BenchClientCommandTests {
  private let command = BenchClientCommand(counts: [50, 500], rounds: 1, questions: 1_000)

  @Test func `a gate and a look take time, and a longer look takes more`() {
    #expect(command.gate() > 0)
    let short = command.look(at: 50)
    #expect(short > 0)
    #expect(command.look(at: 500) > short)
  }

  @Test func `what it prints is as its schema says`() throws {
    let captured = CapturedConsole()
    let code = Dispatcher(commands: [command]).run(
      ["bench", "client", "--json"], on: captured.console())
    #expect(code == .success)
    #expect(try JSONSchema("bench-client").findings(in: captured.output) == [])
    let looks = try JSONValue(json: Array(captured.output.utf8))["looks"]?.array ?? []
    #expect(looks.map { $0["transactions"]?.integer } == [50, 500])
  }
}
