import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Foundation
import Testing

/// `clawback simulate --to` against receivers that check, that check nothing, and that take nothing.
struct SimulateToTests {
  private let credulous: CredulousReceiver

  init() throws { credulous = try CredulousReceiver() }

  private var taking: String { credulous.taking }
  private var refusing: String { credulous.refusing }

  private func run(
    _ words: String...
  ) throws -> (code: Int32, report: JSONValue, diagnostics: String) {
    let told = try ServedProcess.run(["simulate"] + words + ["--json"])
    #expect(try JSONSchema("simulate").findings(in: told.output) == [])
    return (told.code, try JSONValue(json: Array(told.output.utf8)), told.diagnostics)
  }

  private func rows(_ report: JSONValue, _ name: String) -> [String] {
    (report["notifications"]?.array ?? []).map { row in
      row[name]?.string ?? row[name]?.integer.map { String($0) } ?? "-"
    }
  }

  @Test func `a receiver that refuses every forgery, and tells which rule each broke, is right`()
    throws
  {
    defer { credulous.stop() }
    let app = SimulatedApp()
    let site = try ServedSite(
      apps: [.init(bundleId: app.bundleId, appAppleId: app.appAppleId)],
      root: CertificateAuthority(seed: 1).root.der)
    let served = try ServedProcess(site)
    let address = served.url + "/apple/notifications"
    let told = try run("34-hostile", "--to", address)
    #expect(told.code == 0)
    #expect(told.report["isAsExpected"] == .bool(true))
    let problems = (told.report["notifications"]?.array ?? []).filter {
      $0["expected"]?.string == "refused"
    }.compactMap { $0["problem"] }
    #expect(problems.count == Forgery.allCases.count - 3)
    #expect(problems.allSatisfy { $0["code"]?.string != nil && $0["rule"]?.string != nil })
    let text = try ServedProcess.run(["simulate", "34", "--to", address])
    #expect(text.code == 0)
    #expect(text.output.contains("notVerified, rule chain.path: "))
    #expect(text.output.hasSuffix("16 must be refused, and were.\n"))
    #expect(!text.output.contains("!!"))
    #expect(lines(text.output, "forgery refused: ").count == 16)
    #expect(try run("34b", "--to", address).code == 0)
    #expect(served.stop() == 0)
  }

  @Test func `a receiver that believes a forgery is told`() throws {
    defer { credulous.stop() }
    let told = try run("34-hostile", "--to", taking)
    #expect(told.code == 1)
    #expect(told.report["isAsExpected"] == .bool(false))
    let text = try ServedProcess.run(["simulate", "34", "--to", taking])
    let marked = lines(text.output, "!! forgery taken: ")
    #expect(marked.count == 16)
    #expect(text.code == 1)
    #expect(
      text.output.hasSuffix(
        "16 must be refused, and 16 of them were taken (marked !!): who believes them believes "
          + "anybody.\n"))
    let forgeries = (told.report["notifications"]?.array ?? []).compactMap {
      $0["forgery"]?.string
    }
    #expect(Set(forgeries) == Set(Forgery.allCases.map(\.rawValue)).subtracting(["hugeBody"]))
    for (forgery, line) in zip(
      forgeries.filter { Forgery(rawValue: $0)?.mustBeRefused == true }, marked)
    {
      #expect(line.hasPrefix("!! forgery taken: \(forgery) "))
    }
    let plain = try ServedProcess.run(["simulate", "05", "--to", taking])
    #expect(plain.output.hasPrefix("sent "), "nothing is marked where nothing is forged")
  }

  private func lines(_ text: String, _ beginning: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.hasPrefix(beginning) }
  }

  @Test func `what is planned to go wrong happens when asked for, on the story's own clock`() throws
  {
    defer { credulous.stop() }
    let plain = try run("25-outage", "--to", taking)
    #expect(plain.code == 0)
    #expect(plain.diagnostics.contains("only with --faults"))
    let planned = try run("25-outage", "--to", taking, "--faults", "--environment", "Production")
    #expect(planned.code == 0)
    #expect(
      rows(planned.report, "failure") == ["-"]
        + Array(repeating: "nobody answers, as planned", count: 6))
    #expect(rows(planned.report, "attempt") == ["1", "1", "2", "3", "4", "5", "6"])
    let sandbox = try run("25-outage", "--to", taking, "--faults")
    #expect(rows(sandbox.report, "attempt") == ["1", "1"])
  }

  @Test func `what is not taken is sent again by Apple's timetable`() throws {
    defer { credulous.stop() }
    let refused = try run("04", "--to", refusing, "--faults", "--environment", "Production")
    #expect(refused.code == 1)
    #expect(rows(refused.report, "status") == Array(repeating: "404", count: 12))
    #expect(
      rows(refused.report, "attempt").sorted() == ["1", "1"]
        + (2...6).flatMap { ["\($0)", "\($0)"] })
    #expect(try run("04", "--to", refusing, "--faults").report["notifications"]?.array?.count == 2)
  }

  @Test(arguments: [
    (["04", "--to", "127.0.0.1:8000"], "a URL that begins with http:// or https://"),
    (["04", "--to", "ftp://x"], "a URL that begins with http:// or https://"),
    (["04", "--port", "0", "--record", "x"], "--record and --port cannot be stated together."),
    (["04", "--port", "0", "--faults"], "--faults and --port cannot be stated together."),
    (["04", "--port", "0", "--repeat", "2"], "--repeat and --port cannot be stated together."),
    (["04", "--order", "reversed", "--faults"], "--order and --faults cannot be stated together."),
    (["04", "--out", "x", "--json"], "--json and --out cannot be stated together."),
    (["04", "--record", "x"], "--record does nothing without --to."),
    (["04", "--faults"], "--faults does nothing without --to."),
  ])
  func `what would do nothing is refused`(words: [String], reason: String) throws {
    defer { credulous.stop() }
    let told = try ServedProcess.run(["simulate"] + words)
    #expect(told.code == 2)
    #expect(told.diagnostics.contains(reason))
    #expect(told.output == "")
  }

  @Test func `a served story is written too`() throws {
    defer { credulous.stop() }
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let output = Pipe()
    let process = try ServedProcess.command(
      ["simulate", "05", "--port", "0", "--json", "--out", file.path], output)
    try process.run()
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    _ = try #require(ServedProcess.line(output.fileHandleForReading))
    let written = try String(contentsOf: file, encoding: .utf8)
    #expect(written.split(separator: "\n").count == 3)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `the wish list of who cannot make a refund happen is one file and one command`() throws
  {
    defer { credulous.stop() }
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".json5")
    defer { try? FileManager.default.removeItem(at: file) }
    let story = """
      {
        customers: {
          ada: { family: 'f' }, ben: { family: 'f' }, cleo: { family: 'f' },
        },
        steps: [
          { buy: 'themes', by: 'ada' },
          { share: 'ada.themes', to: 'ben' },
          { share: 'ada.themes', to: 'cleo' },
          { after: '1d', requestRefund: 'ada.themes' },
          { after: '1h', decline: 'ada.themes' },
          { after: '1d', refund: 'ada.themes' },
          { after: '1d', reverse: 'ada.themes' },
        ],
      }
      """
    try Data(story.utf8).write(to: file)
    let told = try run(file.path, "--to", taking)
    #expect(told.code == 0)
    #expect(
      rows(told.report, "type") == [
        "ONE_TIME_CHARGE", "ONE_TIME_CHARGE", "ONE_TIME_CHARGE", "CONSUMPTION_REQUEST",
        "REFUND_DECLINED", "REFUND", "REVOKE", "REVOKE", "REFUND_REVERSED",
      ])
  }
}
