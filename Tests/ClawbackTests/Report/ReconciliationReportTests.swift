import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Testing

@testable import clawback

/// `report gaps` and `report coverage`, after everything was missed.
struct ReconciliationReportTests {
  @Test func `gaps are told as a table, as JSON and as CSV`() async throws {
    let site = try await AskedSite.reconciled()
    #expect(await site.run("report", "gaps", "--json") == .success)
    let report = try site.printed()
    #expect(try JSONSchema("gaps").findings(in: report) == [])
    let gaps = try #require(report["gaps"]?.array)
    #expect(gaps.compactMap { $0["type"]?.string } == ["SUBSCRIBED", "ONE_TIME_CHARGE", "REFUND"])
    let before = site.captured.output
    #expect(await site.run("report", "gaps") == .success)
    let table = site.captured.output.dropFirst(before.count).split(separator: "\n")
    #expect(table.count == 4)
    #expect(table[0].hasPrefix("signed                    reason "))
    #expect(table[1].contains("SUBSCRIBED/INITIAL_BUY"))
    let columns = table.map { line in
      line.split(separator: " ").prefix(4).last.map {
        line.distance(from: line.startIndex, to: $0.startIndex)
      }
    }
    #expect(Set(columns).count == 1, "every transaction stands under its name")
    #expect(site.captured.diagnostics.hasSuffix("3 gaps.\n"))
    let both = site.captured.output
    #expect(await site.run("report", "gaps", "--csv") == .success)
    let csv = site.captured.output.dropFirst(both.count).split(separator: "\r\n")
    #expect(csv.count == 4)
    #expect(csv[0].hasPrefix("notificationUUID,type,subtype,signedAtMs,"))
    #expect(csv[3].contains(",REFUND,"))
    #expect(await site.run("report", "gaps", "--csv", "--json") == .unusable)
    #expect(site.captured.diagnostics.contains("--csv and --json cannot be stated together."))
  }

  @Test func `coverage counts what was compared, and names products without any signal`()
    async throws
  {
    let site = try await AskedSite.reconciled(hasMute: true)
    #expect(await site.run("report", "coverage", "--json") == .success)
    let report = try site.printed()
    #expect(try JSONSchema("coverage").findings(in: report) == [])
    let scopes = try #require(report["scopes"]?.array)
    #expect(scopes.map { $0["app"]?.string } == ["com.example.app", "com.example.mute"])
    #expect(scopes[0]["chains"]?.integer == 2)
    #expect(scopes[0]["chainsWithAPICopy"]?.integer == 2)
    #expect(scopes[0]["gaps"]?.integer == 3)
    let products = try #require(scopes[0]["products"]?.array)
    #expect(
      products.map {
        "\($0["productId"]?.string ?? "") \($0["purchases"]?.integer ?? -1) "
          + "\($0["isSilent"] == .bool(true))"
      } == [
        "com.example.app.pro 1 false", "com.example.app.themes 1 false",
        "com.example.app.yacht 0 true",
      ])
    let before = site.captured.output
    #expect(await site.run("report", "coverage") == .success)
    let text = site.captured.output.dropFirst(before.count)
    #expect(text.contains("2 purchases, 2 of them seen at Apple, 3 gaps"))
    #expect(
      text.contains("no signal: com.example.app.yacht, 0 purchases; a refund would go unnoticed"))
    #expect(text.contains("notifications, finished "))
    let both = site.captured.output
    #expect(await site.run("report", "coverage", "--csv") == .success)
    let csv = site.captured.output.dropFirst(both.count).split(separator: "\r\n")
    #expect(csv.count == 9, "four walks of each app, under one header")
    #expect(
      csv[0] == """
        walk,chains,chainsWithAPICopy,steps,coveredFromMs,coveredUntilMs,lastFinishedAtMs,lastSteps,\
        cycleMs,app,environment
        """)
    #expect(csv[1].hasPrefix("notifications,2,2,,"))
    #expect(csv[1].hasSuffix(",com.example.app,Production"))
    #expect(csv[8].hasSuffix(",com.example.mute,Production"))
    #expect(await site.run("report", "coverage", "--csv", "--json") == .unusable)
  }

  @Test func `a report that does not exist is refused`() async throws {
    let site = try await AskedSite.reconciled()
    #expect(await site.run("report", "everything") == .unusable)
  }
}
