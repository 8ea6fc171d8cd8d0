import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Glibc
import LedgerStorage
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
    #expect(captured.diagnostics.contains("1 lines were signed under another root than Apple's"))
  }

  @Test func `a fresh ledger is not stamped with a realm that nothing was signed in`() throws {
    let file = try samples.file("lines", samples.notifications.joined(separator: "\n"))
    let database = samples.path("ledger.db")
    let captured = CapturedConsole()
    #expect(run(["replay", file, "--database", "sqlite:" + database], captured) == .failure)
    #expect(captured.output.contains("quarantined  3 (chain.path 3)"))
    #expect(captured.diagnostics.contains("Every line was signed under another root than Apple's"))
    #expect(captured.diagnostics.contains("--root FILE.der"))
    #expect(captured.diagnostics.contains("No ledger was made"))
    for suffix in ["", "-wal", "-shm", ".lock"] { #expect(access(database + suffix, F_OK) != 0) }
    #expect(try replay(samples.notifications, into: "sqlite:" + database)["stored"]?.integer == 3)
    for suffix in ["", "-wal", "-shm", ".lock"] { samples.remove("ledger.db" + suffix) }
  }

  @Test(arguments: ["", "\n\n", "nonsense", "nonsense\nnonsense", "{}\nx\n{}\nx"])
  func `what holds nothing genuine makes no ledger`(text: String) throws {
    let file = try samples.file("lines", text)
    let database = samples.path("ledger.db")
    let captured = CapturedConsole()
    let words = ["replay", file, "--database", "sqlite:" + database, "--root", try samples.root]
    #expect(run(words, captured) == .failure)
    #expect(captured.diagnostics.contains("No ledger was made"))
    for suffix in ["", "-wal", "-shm", ".lock"] { #expect(access(database + suffix, F_OK) != 0) }
  }

  @Test func `a replay that fails before anything genuine makes no ledger`() throws {
    let file = try samples.file("lines", [UInt8](repeating: 0x61, count: 17 << 20))
    let database = samples.path("ledger.db")
    let captured = CapturedConsole()
    #expect(run(["replay", file, "--database", "sqlite:" + database], captured) == .unusable)
    for suffix in ["", "-wal", "-shm", ".lock"] { #expect(access(database + suffix, F_OK) != 0) }
  }

  @Test func `what is genuine beside something refused is kept, and its ledger with it`() throws {
    let database = samples.path("ledger.db")
    defer { for suffix in ["", "-wal", "-shm", ".lock"] { samples.remove("ledger.db" + suffix) } }
    let line = "{\"signedTransactionInfo\":\"\(samples.transaction)\",\"signedRenewalInfo\":\"x\"}"
    #expect(try replay([line], into: "sqlite:" + database)["quarantined"]?.integer == 1)
    #expect(access(database, F_OK) == 0)
  }

  @Test func `a ledger that was there is kept, whatever was refused`() throws {
    let database = samples.path("ledger.db")
    defer { for suffix in ["", "-wal", "-shm", ".lock"] { samples.remove("ledger.db" + suffix) } }
    _ = try replay(samples.notifications, into: "sqlite:" + database)
    let nonsense = try replay(["nonsense"], into: "sqlite:" + database)
    #expect(nonsense["quarantined"]?.integer == 1)
    #expect(access(database, F_OK) == 0)
  }

  @Test func `a root besides the configuration's is refused unless it is the same`() throws {
    let config = try configuration(for: "com.example.app")
    #expect(try ReplayTrust(configuration: config, root: samples.root).app == "com.example.app")
    let other = try samples.file("other.der", CertificateAuthority(seed: 8).root.der)
    let file = try samples.file("lines", samples.notifications[0])
    let captured = CapturedConsole()
    let words = ["replay", file, "--database", "sqlite::memory:", "--config", config]
    #expect(run(words + ["--root", other], captured) == .unusable)
    #expect(captured.diagnostics.contains("other.der is another root than that of"))
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

  @Test func `a configuration takes only its apps`() throws {
    let lines = samples.notifications
    let other = try replay(lines, under: "other.app")
    #expect(other["stored"]?.integer == 0)
    #expect(other["quarantined"]?.integer == 3)
    let own = try replay(lines, under: "com.example.app")
    #expect(own["stored"]?.integer == 3)
    #expect(own["digest"] == (try replay(lines.reversed(), under: "com.example.app"))["digest"])
  }

  @Test func `answers are made under the configuration's catalog`() throws {
    let config = try configuration(for: "com.example.app")
    let trust = try ReplayTrust(configuration: config, root: nil)
    #expect(trust.app == "com.example.app")
    #expect(trust.realm == (try ReplayTrust(root: samples.root)).realm)
    let granted = trust.rules.catalog("com.example.app")
      .entitlements(of: SimulatedProduct.pro.id, boughtAt: SignedSamples.begin)
    #expect(granted == ["everything"])
  }

  @Test func `renewal information belongs to the only app there is`() throws {
    let lines = [samples.transaction, samples.renewal]
    let configured = try replay(lines, under: "com.example.app")
    #expect(configured["stored"]?.integer == 2)
    let without = try replay([samples.transaction], under: "com.example.app")
    #expect(configured["digest"] != without["digest"])
    #expect(try replay(lines)["digest"] == (try replay([samples.transaction]))["digest"])
  }

  @Test func `a transaction names the app of the renewal beside it, in either order`() throws {
    let transaction = "\"signedTransactionInfo\":\"\(samples.transaction)\""
    let renewal = "\"signedRenewalInfo\":\"\(samples.renewal)\""
    let one = try replay(["{\(transaction),\(renewal),\"status\":1}"])
    let other = try replay(["{\(renewal),\(transaction)}"])
    #expect(one["read"]?.integer == 1)
    #expect(one["stored"]?.integer == 1)
    #expect(one["digest"] == other["digest"])
    #expect(one["digest"] != (try replay([samples.transaction]))["digest"])
  }

  @Test func `what is genuine beside a forgery is kept`() throws {
    let forged = String(samples.renewal.dropLast(8)) + "AAAAAAAA"
    let line = """
      {"signedRenewalInfo":"\(forged)","signedTransactionInfo":"\(samples.transaction)"}
      """
    let result = try replay([line])
    #expect(result["quarantined"]?.integer == 1)
    #expect(result["digest"] == (try replay([samples.transaction]))["digest"])
  }

  @Test func `a mistake in the configuration is shown where it is`() throws {
    let config = try samples.file("clawback.json5", "{\n  environments: [],\n}")
    let captured = CapturedConsole()
    let words = ["replay", "-", "--database", "sqlite::memory:", "--config", config]
    #expect(run(words, captured) == .unusable)
    #expect(
      captured.diagnostics.contains(
        "clawback.json5: line 2, column 17: environments: names no environment"))
  }

  private func configuration(for app: String) throws -> String {
    let config = """
      {
        root: "\(try samples.root)", environments: ["Sandbox", "Production"],
        apps: [{
          bundleId: "\(app)", appAppleId: 1234567890,
          products: [{ productId: "com.example.app.pro", entitlements: ["everything"] }],
        }],
      }
      """
    return try samples.file("clawback.json5", config)
  }

  private func replay(_ lines: [String], under app: String) throws -> JSONValue {
    try replay(lines, options: ["--config", try configuration(for: app)])
  }

  private func replay(
    _ lines: [String], into database: String = "sqlite::memory:"
  ) throws -> JSONValue {
    try replay(lines, into: database, options: ["--root", try samples.root])
  }

  private func replay(
    _ lines: [String], into database: String = "sqlite::memory:", options: [String]
  ) throws -> JSONValue {
    let file = try samples.file("lines", lines.joined(separator: "\n"))
    let captured = CapturedConsole()
    let words = ["replay", file, "--database", database, "--json"] + options
    #expect(run(words, captured) == .success)
    return try JSONValue(json: Array(captured.output.utf8))
  }

  private func run(_ words: [String], _ captured: CapturedConsole) -> ExitCode {
    Dispatcher(commands: CommandList.all).run(words, on: captured.console())
  }
}
