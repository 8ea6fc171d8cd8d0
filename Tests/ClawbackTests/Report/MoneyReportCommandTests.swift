import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Foundation
import Testing

@testable import clawback

/// `report refunds`, `late-spend`, `signals` and `clusters`, after everything was missed.
struct MoneyReportCommandTests {
  @Test func `a report for programs is as its schema says`() async throws {
    let rows = try [
      ("refunds", JSONSchema("report-refunds")), ("late-spend", JSONSchema("report-late-spend")),
      ("signals", JSONSchema("report-signals")), ("clusters", JSONSchema("report-clusters")),
    ]
    for (name, schema) in rows { try await check(name, schema) }
  }

  private func check(_ name: String, _ schema: JSONSchema) async throws {
    let site = try await AskedSite.reconciled()
    #expect(await site.run("report", name, "--json", "--app", "com.example.app") == .success)
    let report = try site.printed()
    #expect(try schema.findings(in: report) == [])
    #expect(report["scopes"]?.array?.allSatisfy { $0["app"]?.string == "com.example.app" } == true)
    #expect(report["scopes"]?.array?.isEmpty == false)
  }

  @Test(
    arguments: [
      ("refunds", "1 for 9.99 USD"), ("late-spend", "1 refund, 0 of them with late spend"),
      ("signals", "1 refund, 1 backfilled"),
      ("clusters", "no clusters"),
    ])
  func `a report for people tells what there is`(name: String, words: String) async throws {
    let site = try await AskedSite.reconciled()
    let before = site.captured.output
    #expect(await site.run("report", name) == .success)
    let text = site.captured.output.dropFirst(before.count)
    #expect(text.contains(words))
    #expect(text.contains("com.example.app "))
  }

  @Test(
    arguments: [
      ("refunds", "periodStartMs,productId"), ("late-spend", "originalTransactionId,customer"),
      ("signals", "channel,brought"), ("clusters", "cluster,productId"),
    ])
  func `a report as a table has one header, and its app in every row`(
    name: String, columns: String
  ) async throws {
    let site = try await AskedSite.reconciled()
    let before = site.captured.output
    #expect(await site.run("report", name, "--csv") == .success)
    let lines = site.captured.output.dropFirst(before.count).split(separator: "\r\n")
    #expect(lines.first?.hasPrefix("app,environment," + columns) == true)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("com.example.") })
    #expect(lines.count >= (name == "clusters" ? 1 : 2))
    #expect(await site.run("report", name, "--csv", "--json") == .unusable)
  }

  @Test func `amounts are signalled ones, and it is said once`() async throws {
    let site = try await AskedSite.reconciled()
    #expect(await site.run("report", "refunds", "--by", "day") == .success)
    let told = site.captured.diagnostics.components(separatedBy: "not accounting").count - 1
    #expect(told == 1)
  }

  @Test func `a time that cannot be read is refused`() async throws {
    let site = try await AskedSite.reconciled()
    #expect(await site.run("report", "refunds", "--from", "yesterday") == .unusable)
    #expect(
      site.captured.diagnostics.contains(
        "--from cannot be 'yesterday'. It is a moment such as 2026-11-30"))
  }

  @Test func `a range leaves out what is dated outside it`() async throws {
    let site = try await AskedSite.reconciled()
    #expect(
      await site.run("report", "refunds", "--json", "--from", "2100-01-01", "--until", "2101-01-01")
        == .success)
    let report = try site.printed()
    #expect(report["scopes"]?.array?.allSatisfy { $0["lines"]?.array?.isEmpty == true } == true)
  }

  @Test(
    arguments: [
      ([(2_500_000, "USD"), (1, "JPY"), (500, "USD")], "0.000001 JPY, 2.500500 USD"),
      ([(5_000, "USD")], "0.005 USD"), ([], ""),
    ] as [([(Int64, String)], String)])
  func `spend is added up to the last microunit`(amounts: [(Int64, String)], text: String) {
    let list = JSONValue.array(
      amounts.map {
        .object([.init("microunits", .integer($0.0)), .init("currency", .string($0.1))])
      })
    #expect(ReportLateSpendCommand.sum([list]) == text)
  }
}
