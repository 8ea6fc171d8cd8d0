import AppStoreSimulator
import ContractSupport
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
    #expect(captured.output.split(separator: "\n").count == Scenario.all.count + 1)
    #expect(captured.output.hasPrefix("scenario "))
    #expect(captured.output.contains("\n01-test "))
  }

  @Test func `the list for programs holds names and titles`() throws {
    #expect(run("--list", "--json") == .success)
    let list = try JSONSerialization.jsonObject(with: Data(captured.output.utf8))
    let scenarios = try #require(list as? [[String: String]])
    #expect(scenarios.map { $0["name"] } == Scenario.all.map(\.name))
    #expect(scenarios.map { $0["title"] } == Scenario.all.map(\.title))
    #expect(try JSONSchema("simulate-list").findings(in: captured.output) == [])
  }

  @Test func `a file is a scenario, and says where it is wrong`() throws {
    let own = folder.appending(path: "own.json5").path
    try "{ steps: [{ buy: 'pro', by: 'ada' }, { after: '2d', refund: 'ada.pro' }] }"
      .write(toFile: own, atomically: true, encoding: .utf8)
    #expect(run(own) == .success)
    #expect(captured.output.split(separator: "\n").count == 2)
    #expect(captured.diagnostics.hasPrefix("own: 2 notifications."))
    try "{\n steps: [{ buy: 'pro', by: 'ada' },\n  { refnud: 'ada.pro' }] }"
      .write(toFile: own, atomically: true, encoding: .utf8)
    #expect(run(own) == .unusable)
    #expect(
      captured.diagnostics.contains(
        "line 3, column 5: steps[1].refnud: no such setting; is refund meant?\n"))
    try "{\n steps: [{ refund: 'ada.pro' }] }".write(
      toFile: own, atomically: true, encoding: .utf8)
    #expect(run(own) == .unusable)
    #expect(
      captured.diagnostics.contains(
        "line 2, column 12: this cannot happen: Nothing was bought under the name ada.pro.\n"))
  }

  @Test func `the catalog of a scenario may be a file beside it`() throws {
    let shop = folder.appending(path: "Shop.storekit").path
    try #"{"version":{"major":4},"products":[{"productID":"x.gem","type":"Consumable"}]}"#
      .write(toFile: shop, atomically: true, encoding: .utf8)
    let own = folder.appending(path: "own.json5").path
    try "{ catalog: 'Shop.storekit', steps: [{ buy: 'gem', by: 'ada' }] }"
      .write(toFile: own, atomically: true, encoding: .utf8)
    #expect(run(own) == .success)
  }

  @Test func `a scenario's file can be printed, and played from the copy`() throws {
    #expect(run("05", "--print") == .success)
    let copy = folder.appending(path: "05-refund-reversed.json5").path
    try captured.output.write(toFile: copy, atomically: true, encoding: .utf8)
    let printed = captured.output
    #expect(run(copy) == .success)
    #expect(run("05") == .success)
    let lines = captured.output.dropFirst(printed.count).split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines[..<3] == lines[3...])
  }

  @Test func `what was posted is recorded, and posted again byte for byte`() throws {
    let run1 = folder.appending(path: "run.jsonl").path
    #expect(
      run("04", "--to", "http://127.0.0.1:1/hook", "--wait", "0", "--record", run1) == .failure)
    let recorded = try String(contentsOfFile: run1, encoding: .utf8)
    let payloads = try recorded.split(separator: "\n").map { try object(String($0)) }
    #expect(payloads.allSatisfy { $0["attemptDate"] is Int && $0["failure"] is String })
    let out = folder.appending(path: "again.jsonl").path
    #expect(run(run1, "--out", out) == .success)
    let again = try String(contentsOfFile: out, encoding: .utf8)
    #expect(
      try again.split(separator: "\n").map { try object(String($0))["signedPayload"] as? String }
        == payloads.map { $0["signedPayload"] as? String })
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
    #expect(run("04", "--to", "http://127.0.0.1:1/hook", "--wait", "0", "--json") == .failure)
    let report = try object(captured.output)
    #expect(report["accepted"] as? Int == 0)
    #expect(report["scenario"] as? String == "04-non-consumable-refunded")
    let rows = try #require(report["notifications"] as? [[String: Any]])
    #expect(rows.map { $0["type"] as? String } == ["ONE_TIME_CHARGE", "REFUND"])
    #expect(rows.allSatisfy { $0["status"] == nil && $0["failure"] is String })
  }

  @Test func `the report for people is a table and names the customer`() {
    #expect(run("04", "--to", "http://127.0.0.1:1/hook", "--wait", "0") == .failure)
    let lines = captured.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("sent             transaction "))
    #expect(lines[2].hasPrefix("REFUND "))
    #expect(lines[3].hasPrefix("The app's customer ada is "))
    #expect(lines[4] == "0 of 2 were taken.")
  }

  @Test func `every customer of a family is named with the id that a server knows them by`() throws
  {
    #expect(run("22", "--to", "http://127.0.0.1:1/hook", "--wait", "0") == .failure)
    let told = captured.output.split(separator: "\n").filter { $0.hasPrefix("The app's customer ") }
    #expect(told.map { $0.split(separator: " ")[3] }.sorted() == ["ada", "ben", "cleo"])
    let ids = told.map { String($0.split(separator: " ")[5]) }
    #expect(Set(ids).count == 3)
    let scenario = try #require(Scenario.named("22"))
    let store = try scenario.played(seed: 1, endingAt: Performance.archiveEnd)
    #expect(store.customers.map(\.name) == ["ada", "ben", "cleo"])
  }

  @Test func `whoever passes no token is known by the Apple Account`() throws {
    let own = folder.appending(path: "own.json5").path
    try "{ customers: { ada: { token: false } }, steps: [{ buy: 'pro', by: 'ada' }] }"
      .write(toFile: own, atomically: true, encoding: .utf8)
    #expect(run(own, "--to", "http://127.0.0.1:1/hook", "--wait", "0") == .failure)
    #expect(captured.output.contains("The app's customer ada is atx:704"))
    #expect(captured.output.contains(", and passes no token.\n"))
  }

  @Test func `what is posted again from a recording is told like a story, forgeries included`()
    throws
  {
    func rows(_ words: String...) throws -> [[String: Any]] {
      let captured = CapturedConsole()
      let all = ["simulate"] + words + ["--to", "http://127.0.0.1:1/hook", "--wait", "0", "--json"]
      #expect(
        Dispatcher(commands: [SimulateCommand()]).run(all, on: captured.console()) == .failure)
      return try #require(try object(captured.output)["notifications"] as? [[String: Any]])
    }
    let recording = folder.appending(path: "hostile.jsonl").path
    let told = try rows("34-hostile", "--record", recording)
    let again = try rows(recording)
    #expect(again.count == told.count)
    for (first, second) in zip(told, again) where first["expected"] as? String == "taken" {
      for name in ["type", "subtype", "notificationUUID", "transactionId", "appAccountToken"] {
        #expect(first[name] as? String == second[name] as? String, "\(name)")
      }
      #expect(first["signedDate"] as? Int == second["signedDate"] as? Int)
    }
    let expected = told.map { $0["expected"] as? String }
    #expect(again.map { $0["expected"] as? String } == expected)
    #expect(Set(expected) == ["taken", "refused", "either"])
  }

  @Test(arguments: [
    ("http://127.0.0.1:80 80/hook", "a URL without spaces"),
    ("http://127.0.0.1:8080/my hook", "a URL without spaces"),
    (
      "http://127.0.0.1:8080/caf\u{E9}",
      "a URL without spaces and letters outside ASCII: write %20 "
    ),
    ("http://", "a URL such as http://127.0.0.1:8080/apple/notifications"),
    ("http://127.0.0.1:99999/", "a URL such as http://127.0.0.1:8080/apple/notifications"),
    ("http://[::1/", "a URL such as http://127.0.0.1:8080/apple/notifications"),
    ("localhost:8080", "a URL that begins with http:// or https://"),
  ])
  func `an address that nothing can be posted to is refused before anything is`(
    url: String, advice: String
  ) {
    #expect(run("04", "--to", url) == .unusable)
    #expect(
      captured.diagnostics.contains("--to cannot be '\(url)'. It is \(advice)"),
      "\(captured.diagnostics)")
    #expect(captured.output == "")
  }

  @Test func `a key is written for who answers calls only`() {
    #expect(run("04", "--key-out", folder.appending(path: "k.p8").path) == .unusable)
    #expect(captured.diagnostics.contains("--key-out does nothing without --port."))
  }

  @Test func `what cannot be used is said`() {
    #expect(run() == .unusable)
    #expect(run("99") == .unusable)
    #expect(run("04", "--out", folder.appending(path: "none/story").path) == .failure)
    #expect(captured.diagnostics.contains("SCENARIO is missing."))
    #expect(captured.diagnostics.contains("There is no scenario '99' and no such file."))
    #expect(captured.diagnostics.contains("cannot be written."))
  }
}
