import Testing

@testable import clawback

struct BenchClientCommandTests {
  @Test func `a gate and a look take time, and a longer look takes more`() {
    let command = BenchClientCommand()
    #expect(command.gate(rounds: 1_000) > 0)
    let short = command.look(at: 50, rounds: 1)
    #expect(short > 0)
    #expect(command.look(at: 500, rounds: 1) > short)
  }
}
