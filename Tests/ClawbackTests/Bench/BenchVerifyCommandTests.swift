import Testing

@testable import clawback

struct BenchVerifyCommandTests {
  @Test func `notifications are counted by CPU time`() {
    let result = BenchResult(notifications: 300, cpuSeconds: 0.5, seconds: 1)
    #expect(result.notificationsPerSecond == 600)
  }

  @Test func `a file without notifications cannot be measured`() throws {
    let samples = try SignedSamples()
    let file = try samples.file("lines", "\n{\"signedTransactionInfo\":\"a.b.c\"}\n")
    #expect(try run(samples, file).code == .unusable)
  }

  @Test func `a forged notification ends the measurement`() throws {
    let samples = try SignedSamples()
    let forged = String(samples.notifications[0].dropLast(8)) + "AAAAAAAA"
    let file = try samples.file("lines", "{\"signedPayload\":\"\(forged)\"}\n")
    let (code, diagnostics) = try run(samples, file)
    #expect(code == .failure)
    #expect(diagnostics.contains("A notification was refused"))
  }

  private func run(_ samples: SignedSamples, _ file: String) throws -> (code: ExitCode, String) {
    let captured = CapturedConsole()
    let words = ["bench", "verify", "--input", file, "--root", try samples.root]
    let code = Dispatcher(commands: CommandList.all).run(words, on: captured.console())
    return (code, captured.diagnostics)
  }
}
