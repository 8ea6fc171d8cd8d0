import AppStoreSimulator
import Foundation
import Testing

@testable import clawback

struct SimulateCommandTests {
  let captured = CapturedConsole()
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func run(_ words: String...) -> ExitCode {
    Dispatcher(commands: [SimulateCommand()]).run(["simulate"] + words, on: captured.console())
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `the list names every scenario`() throws {
    #expect(run("--list") == .success)
    #expect(captured.output.split(separator: "\n").count == Scenario.all.count)
    #expect(captured.output.hasPrefix("01-test "))
  }

  @Test func `the list for programs holds names and summaries`() throws {
    #expect(run("--list", "--json") == .success)
    let scenarios = try #require(try object(captured.output)["scenarios"] as? [[String: String]])
    #expect(scenarios.map { $0["name"] } == Scenario.all.map(\.name))
  }

  @Test func `a story goes to the output, one notification a line, the same each time`() throws {
    #expect(run("04") == .success)
    let lines = captured.output.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines { #expect(try object(String(line))["signedPayload"] is String) }
    let first = captured.output
    #expect(run("4") == .success)
    #expect(captured.output == first + first)
    #expect(captured.diagnostics.hasPrefix("04-non-consumable-refunded: 2 notifications. Root: "))
  }

  @Test func `files hold the story and the root`() throws {
    let story = folder.appending(path: "story.jsonl")
    let root = folder.appending(path: "root.der")
    let code = run("19", "--seed", "4", "--out", story.path, "--root-out", root.path)
    #expect(code == .success)
    #expect(captured.output == "")
    #expect(try String(contentsOf: story, encoding: .utf8).split(separator: "\n").count == 6)
    #expect(try Array(Data(contentsOf: root)) == CertificateAuthority(seed: 4).root.der)
  }

  @Test func `order and repetition are as stated`() throws {
    func lines(_ words: String...) throws -> [Substring] {
      let captured = CapturedConsole()
      let command = Dispatcher(commands: [SimulateCommand()])
      #expect(command.run(["simulate", "08"] + words, on: captured.console()) == .success)
      return captured.output.split(separator: "\n").map { Substring($0) }
    }
    let given = try lines()
    #expect(try lines("--order", "reversed") == given.reversed())
    #expect(try lines("--repeat", "2") == given + given)
    let shuffled = try lines("--order", "shuffled", "--repeat", "3")
    #expect(shuffled.sorted() == (given + given + given).sorted())
    #expect(shuffled != given + given + given)
  }

  @Test func `nobody who answers is a failure that the report tells`() throws {
    #expect(run("04", "--to", "http://127.0.0.1:1/hook", "--json") == .failure)
    let report = try object(captured.output)
    #expect(report["accepted"] as? Int == 0)
    #expect(report["scenario"] as? String == "04-non-consumable-refunded")
    let rows = try #require(report["notifications"] as? [[String: Any]])
    #expect(rows.map { $0["type"] as? String } == ["ONE_TIME_CHARGE", "REFUND"])
    #expect(rows.allSatisfy { $0["status"] == nil && $0["failure"] is String })
  }

  @Test func `the report for people is a table and names the customer`() {
    #expect(run("04", "--to", "http://127.0.0.1:1/hook") == .failure)
    let lines = captured.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("sent             transaction "))
    #expect(lines[2].hasPrefix("REFUND "))
    #expect(lines[3].hasPrefix("The app's customer is "))
    #expect(lines[4] == "0 of 2 were taken.")
  }

  @Test func `what cannot be used is said`() {
    #expect(run() == .unusable)
    #expect(run("99") == .unusable)
    #expect(run("04", "--out", folder.appending(path: "none/story").path) == .failure)
    #expect(captured.diagnostics.contains("SCENARIO is missing."))
    #expect(captured.diagnostics.contains("There is no scenario '99'."))
    #expect(captured.diagnostics.contains("cannot be written."))
  }
}
