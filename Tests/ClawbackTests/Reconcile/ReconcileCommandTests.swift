import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Foundation
import Testing

@testable import clawback

struct ReconcileCommandTests {
  private func site(_ prepare: (inout SimulatedServer) -> Void = { _ in }) throws -> AskedSite {
    try AskedSite(
      { stage in
        for name in ["Ada", "Ben", "Cleo"] {
          let customer = stage.store.enroll(name)
          let bought = try stage.buy(.themes, customer)
          stage.waitDays(1)
          if name == "Ben" { try stage.refund(bought) }
        }
      }, prepare)
  }

  @Test func `everything is compared once, and the counts say so`() async throws {
    let site = try site()
    #expect(await site.run("reconcile", "--once") == .success)
    #expect(
      site.captured.output
        == "com.example.app Production: 1 pages of history, 4 gaps, 3 purchases asked about, "
        + "3 refund histories read, 0 unknown to Apple, 0 without an answer\n")
    #expect(!site.captured.diagnostics.contains("\r"), "no bar where nobody watches")
    #expect(await site.run("reconcile", "--json") == .success)
    #expect(try JSONSchema("reconcile").findings(in: site.printed()) == [])
    #expect(try site.printed()["scopes"]?.array?.first?["gaps"]?.integer == 0)
  }

  @Test func `a question without a usable answer ends it with 1, and is asked the next time`()
    async throws
  {
    let refusal = Array(#"{"errorCode":4000006,"errorMessage":"no"}"#.utf8)
    let site = try site { server in
      server.faults = [
        APIFault(
          APIAnswer(status: 400, type: "application/json", body: refusal), at: .refundHistory)
      ]
    }
    #expect(await site.run("reconcile") == .failure)
    #expect(
      site.captured.output.contains(
        "2 refund histories read, 0 unknown to Apple, 1 without an answer"))
    #expect(
      site.captured.diagnostics.contains(
        "Without a usable answer: 1. They are asked again the next time."))
    #expect(await site.run("reconcile") == .success)
  }

  @Test func `an app without a key is named, and not taken for compared`() async throws {
    let site = try await AskedSite.reconciled(hasMute: true)
    #expect(try JSONSchema("reconcile").findings(in: site.printed()) == [])
    #expect(try site.printed()["appsWithoutKey"] == .array([.string("com.example.mute")]))
    #expect(
      site.captured.diagnostics.contains(
        "Nothing was asked about com.example.mute: it has no App Store Connect key."))
  }

  @Test func `what Apple kept from being asked counts as without an answer`() async throws {
    let site = try site()
    #expect(await site.run("reconcile") == .success)
    site.simulator.withServer { server, _ in server.switches.isReleased = false }
    #expect(await site.run("reconcile", "--json") == .failure)
    let scope = try #require(try site.printed()["scopes"]?.array?.first)
    #expect((scope["failed"]?.integer ?? 0) > 0)
  }

  @Test func `what keeps Apple from answering is said at once where no bar shows it, and once`() {
    let captured = CapturedConsole()
    var told = ToldTrouble(captured.console(isWatched: false))
    for trouble in [nil, "it is down", "it is down", nil, "it is back", "it is down"] {
      told.tell(trouble)
    }
    #expect(captured.diagnostics == "it is down.\nit is back.\n")
    let watched = CapturedConsole()
    var drawn = ToldTrouble(watched.console(isWatched: true))
    drawn.tell("it is down")
    #expect(watched.diagnostics == "")
  }

  @Test func `progress is drawn where somebody watches, and taken away at the end`() async throws {
    let site = try site()
    #expect(await site.run("reconcile", isWatched: true) == .success)
    #expect(site.captured.diagnostics.hasSuffix("\r\u{1B}[K"))
  }

  @Test func `an App Store that refuses the key is a failure that says why`() async throws {
    let site = try site { server in server.switches.isReleased = false }
    #expect(await site.run("reconcile", "--json") == .failure)
    #expect(try site.printed()["isFinished"] == .bool(true))
    #expect(site.captured.diagnostics.contains("production refuses a key that the sandbox takes"))
    #expect(try JSONSchema("reconcile").findings(in: site.printed()) == [])
  }

  @Test func `a store that travelled in time is told as such, at once`() async throws {
    let site = try site { server in server.travel(.days(400), at: SimulatorListener.wallClock()) }
    #expect(await site.run("reconcile", "--json") == .failure)
    let scope = try #require(try site.printed()["scopes"]?.array?.first)
    #expect(scope["trouble"]?.string?.contains("4000012") == true)
    #expect(scope["advice"]?.string?.contains("start it anew") == true)
    #expect(site.captured.diagnostics.contains("clock is ahead of this machine's"))
    #expect(site.captured.diagnostics.contains("start it anew"))
    #expect(site.calls(.notificationHistory) == 1, "it is not asked again and again")
    #expect(try JSONSchema("reconcile").findings(in: site.printed()) == [])
  }

  @Test func `what happens is logged where it is asked to be`() async throws {
    let site = try site()
    let log = try site.file("run.log", "before\n")
    #expect(await site.run("reconcile", "--log", log) == .success)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.first == "before")
    let events = try lines.dropFirst().map { try JSONValue(json: Array($0.utf8))["event"]?.string }
    #expect(events.contains("gapsFound"))
    #expect(events.last == "reconciled")
    #expect(await site.run("reconcile", "--log", "/nowhere/run.log") == .unusable)
    #expect(site.captured.diagnostics.contains("/nowhere/run.log cannot be written"))
  }

  @Test func `a configuration without a key cannot be used`() async throws {
    let site = try site()
    let path = try site.file(
      "other.json5",
      """
      { environments: ["Sandbox"], apps: [{ bundleId: "a.b" }], database: "sqlite::memory:" }
      """)
    let captured = CapturedConsole()
    let code = Dispatcher(commands: CommandList.all).run(
      ["reconcile", "--config", path], on: captured.console())
    #expect(code == .unusable)
    #expect(
      captured.diagnostics.contains("No app of the configuration has an App Store Connect key"))
    #expect(captured.diagnostics.contains("Add appStoreConnect with keyFile, keyId and issuerId"))
    #expect(await site.run("reconcile", "--twice") == .unusable)
  }
}
