import AppStoreModel
import ContractSupport
import Testing

@testable import clawback

/// What the commands print for programs is as its schema says.
struct OutputSchemaTests {
  private let samples: SignedSamples

  init() throws {
    samples = try SignedSamples()
  }

  @Test func `what inspect, replay and the benchmarks print is as their schemas say`() throws {
    let root = ["--root", try samples.root, "--json"]
    let good = try samples.file("good", samples.notifications.joined(separator: "\n"))
    let one = try samples.file("one", samples.notifications[2])
    let forged = try samples.file("forged", samples.notifications[0].dropLast(8) + "AAAAAAAA")
    let rows: [(words: [String], schema: JSONSchema, code: ExitCode)] = try [
      (["inspect", one], JSONSchema("inspect"), .success),
      (["inspect", forged], JSONSchema("inspect"), .failure),
      (["replay", good, "--database", "sqlite::memory:"], JSONSchema("replay"), .success),
      (["bench", "verify", "--input", good], JSONSchema("bench-verify"), .success),
      (["bench", "replay", "--input", good], JSONSchema("bench-verify"), .success),
    ]
    for row in rows {
      let output = try printed(row.words + root, row.code)
      #expect(try row.schema.findings(in: output) == [], "\(row.words[0])")
    }
  }

  @Test func `what the commands on a ledger print is as their schemas say`() throws {
    let config = samples.path("clawback.json5")
    let ledger = "sqlite:" + samples.path("clawback.db")
    let copy = samples.path("copy.db")
    defer {
      for name in ["clawback.db", "copy.db"] {
        for suffix in ["", "-wal", "-shm", ".lock"] { samples.remove(name + suffix) }
      }
      samples.remove("clawback.json5")
    }
    // Another app's notifications are kept whole until the configuration takes them.
    let lines = try samples.file("lines", samples.notifications.joined(separator: "\n"))
    let begin = ["init", "--bundle-id", "com.example.other", "--root", try samples.root]
    let rows: [(words: [String], schema: JSONSchema, content: String)] = try [
      (begin, JSONSchema("made-key"), "\"admin\""),
      (["keys", "create", "mine"], JSONSchema("made-key"), "\"mine\""),
      (["keys", "list"], JSONSchema("keys"), "\"mine\""),
      (["replay", lines, "--database", ledger], JSONSchema("replay"), "\"quarantined\":3"),
      (["quarantine", "list"], JSONSchema("quarantine"), "\"isKept\":true"),
      (["quarantine", "retry"], JSONSchema("retried"), "\"left\":3"),
      (["backup", copy], JSONSchema("copy"), "copy.db"),
    ]
    for row in rows {
      let output = try printed(row.words + ["--config", config, "--json"], .success)
      #expect(output.contains(row.content), "\(row.words[0]): \(output)")
      #expect(try row.schema.findings(in: output) == [], "\(row.words[0])")
    }
  }

  @Test func `what the demo prints is as its schema says`() throws {
    let output = try printed(["demo", "--once", "--json"], .success)
    #expect(try JSONSchema("demo").findings(in: output) == [])
  }

  @Test func `every schema uses only words that are checked`() throws {
    for name in try JSONSchema.names {
      let findings = try JSONSchema(name).findings(in: .object([]))
      #expect(findings.filter { $0.contains("unknown word") } == [], "\(name)")
    }
  }

  @Test(arguments: [
    (#"{"microunits":1,"currency":"USD"}"#, []),
    (#"{"microunits":1}"#, ["$: currency is missing"]),
    (
      #"{"microunits":1.5,"currency":"USD"}"#, ["$.microunits: 1.5 is not type \"integer\""]
    ),
    (
      #"{"microunits":1,"currency":"usd"}"#,
      [#"$.currency: "usd" is not pattern "^[A-Z]{3}$""#]
    ),
    (#"{"microunits":1,"currency":"USD","x":0}"#, ["$: x is not described"]),
    ("[]", ["$: [] is not type \"object\""]),
  ])
  func `what is against a schema is found`(document: String, findings: [String]) throws {
    #expect(try JSONSchema("cost").findings(in: document) == findings)
  }

  private func printed(_ words: [String], _ code: ExitCode) throws -> String {
    let captured = CapturedConsole()
    #expect(Dispatcher(commands: CommandList.all).run(words, on: captured.console()) == code)
    return captured.output
  }
}
