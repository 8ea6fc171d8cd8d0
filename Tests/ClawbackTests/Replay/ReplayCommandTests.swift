import AppStoreModel
import Testing

@testable import clawback

struct ReplayCommandTests {
  private let samples: SignedSamples

  init() throws {
    samples = try SignedSamples()
  }

  @Test func `every line is counted once`() throws {
    let forged = String(samples.notifications[0].dropLast(8)) + "AAAAAAAA"
    let lines =
      samples.notifications.map { "{\"id\":1,\"signedPayload\":\"\($0)\"}" }
      + ["", samples.notifications[0], "{\"signedPayload\":\"\(forged)\"}", "{}", "nonsense"]
      + ["{\"signedTransactionInfo\":\"\(samples.transaction)\"}", samples.renewal]
    let result = try replay(lines)
    #expect(result["read"]?.integer == 9)
    #expect(result["stored"]?.integer == 5)
    #expect(result["repeated"]?.integer == 1)
    #expect(result["quarantined"]?.integer == 3)
    #expect(result["digest"]?.string?.utf8.count == 64)
  }

  @Test func `the digest is that of the facts, in any order and however often`() throws {
    let lines = samples.notifications
    let first = try replay(lines)["digest"]
    #expect(try replay(lines.reversed())["digest"] == first)
    #expect(try replay(lines + lines.reversed())["digest"] == first)
    #expect(try replay(Array(lines.dropLast()))["digest"] != first)
  }

  @Test func `a file replayed again is repeated`() throws {
    let database = samples.path("ledger.db")
    defer { for suffix in ["", "-wal", "-shm", ".lock"] { samples.remove("ledger.db" + suffix) } }
    let first = try replay(samples.notifications, into: "sqlite:" + database)
    let second = try replay(samples.notifications, into: "sqlite:" + database)
    #expect(first["stored"]?.integer == 3)
    #expect(second["stored"]?.integer == 0)
    #expect(second["repeated"]?.integer == 3)
    #expect(second["digest"] == first["digest"])
  }

  @Test func `a person reads which rules refused lines`() throws {
    let file = try samples.file("lines", samples.notifications[0] + "\nnonsense\n")
    let captured = CapturedConsole()
    let words = ["replay", file, "--database", "sqlite::memory:"]
    #expect(run(words, captured) == .success)
    #expect(captured.output.contains("read         2"))
    #expect(captured.output.contains("quarantined  2 (chain.path 1, form.segments 1)"))
    #expect(captured.diagnostics.isEmpty)
  }

  @Test func `what cannot be used is named`() throws {
    let captured = CapturedConsole()
    let absent = ["replay", samples.path("absent"), "--database", "sqlite::memory:"]
    #expect(run(absent, captured) == .unusable)
    #expect(captured.diagnostics.contains("absent cannot be read: No such file or directory"))
    let file = try samples.file("lines", "")
    #expect(run(["replay", file, "--database", "postgres://x"], captured) == .unusable)
    #expect(captured.diagnostics.contains("is not the address of a store"))
  }

  @Test func `a line without end is refused before it fills the memory`() throws {
    let file = try samples.file("lines", [UInt8](repeating: 0x61, count: 17 << 20))
    let captured = CapturedConsole()
    #expect(run(["replay", file, "--database", "sqlite::memory:"], captured) == .unusable)
    #expect(captured.diagnostics.contains("a line of more than 16 MiB"))
  }

  @Test func `the benchmark takes only what is new and genuine`() throws {
    let captured = CapturedConsole()
    let good = try samples.file("good", samples.notifications.joined(separator: "\n"))
    let root = ["--root", try samples.root]
    #expect(run(["bench", "replay", "--input", good, "--json"] + root, captured) == .success)
    let json = try JSONValue(json: Array(captured.output.utf8))
    #expect(json["notifications"]?.integer == 3)
    let twice = try samples.file(
      "twice", "\(samples.notifications[0])\n\(samples.notifications[0])")
    #expect(run(["bench", "replay", "--input", twice] + root, captured) == .failure)
    #expect(captured.diagnostics.contains("Only 1 of 2 lines were new"))
  }

  private func replay(
    _ lines: [String], into database: String = "sqlite::memory:"
  ) throws -> JSONValue {
    let file = try samples.file("lines", lines.joined(separator: "\n"))
    let captured = CapturedConsole()
    let words = ["replay", file, "--database", database, "--root", try samples.root, "--json"]
    #expect(run(words, captured) == .success)
    return try JSONValue(json: Array(captured.output.utf8))
  }

  private func run(_ words: [String], _ captured: CapturedConsole) -> ExitCode {
    Dispatcher(commands: CommandList.all).run(words, on: captured.console())
  }
}
