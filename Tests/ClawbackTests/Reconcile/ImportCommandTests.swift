import AppStoreModel
import AppStoreSimulator
import ContractSupport
import EntitlementLedger
import Foundation
import Testing

@testable import clawback

struct ImportCommandTests {
  private static let header = "transactionId,customer,bundleId\n"

  /// Three customers without a token; the first has a long history.
  private static func site() throws -> (site: AskedSite, ids: [String]) {
    var ids: [String] = []
    let site = try AskedSite(hasMute: true) { stage in
      for name in ["Ada", "Ben", "Cleo"] {
        let customer = stage.store.enroll(name, withToken: false)
        ids.append(try stage.buy(.themes, customer))
        for _ in 0..<(name == "Ada" ? 45 : 1) { _ = try stage.buy(.coins, customer) }
        stage.waitDays(1)
      }
    }
    return (site, ids)
  }

  private static func line(_ id: String, _ customer: String) -> String {
    "\(id),\(customer),com.example.app\n"
  }

  @Test func `each line is linked with its history, and bad ones are named`() async throws {
    let (site, ids) = try Self.site()
    let file = try site.file(
      "customers.csv",
      Self.header + Self.line(ids[0], "ada") + Self.line(ids[1], "\"ben, the second\"")
        + Self.line("77", "cleo") + "1,2\n" + "5,dan,com.example.mute\n6,eve,com.example.other\n"
        + Self.line(ids[0], "eve"))
    #expect(await site.run("import", file, "--json") == .failure)
    let report = try site.printed()
    #expect(try JSONSchema("import").findings(in: report) == [])
    #expect(report["rows"]?.integer == 7)
    #expect(report["done"]?.integer == 2)
    #expect(
      report["problems"]?.array?.map { "\($0["line"]?.integer ?? 0) \($0["reason"]?.string ?? "")" }
        == [
          "4 Apple knows no such transaction of this app in Production",
          "5 has 2 cells in place of 3",
          "6 the app com.example.mute has no App Store Connect key in the configuration",
          "7 the app com.example.other is not configured",
          "8 line 2 gives this purchase to another customer: leave out one of the two",
        ])
    #expect(!site.captured.diagnostics.contains("\r"), "no bar where nobody watches")
  }

  @Test func `whoever is claimed for two customers goes to the first, and the second is named`()
    async throws
  {
    var ids: [String] = []
    let site = try AskedSite { stage in
      let ada = stage.store.enroll("Ada", withToken: false)
      ids = [try stage.buy(.themes, ada), try stage.buy(.pro, ada)]
    }
    let file = try site.file(
      "customers.csv",
      Self.header + Self.line(ids[0], "ada") + Self.line(ids[0], "ada") + Self.line(ids[0], "ben"))
    #expect(await site.run("import", file) == .failure)
    #expect(
      site.captured.output == """
        2 of 3 purchases are linked
        line 4: line 2 gives this purchase to another customer: leave out one of the two

        """)
    let other = try site.file("other.csv", Self.header + Self.line(ids[1], "cleo"))
    let before = site.captured.output
    #expect(await site.run("import", other) == .failure)
    let told = site.captured.output.dropFirst(before.count)
    #expect(
      told.contains(
        "line 2: the purchase is linked to another customer: 'clawback customers transfer "))
  }

  @Test func `the same file goes on where it stopped, and asks nothing again`() async throws {
    let (site, ids) = try Self.site()
    let text = Self.header + Self.line(ids[0], "ada") + Self.line(ids[2], "cleo")
    let file = try site.file("customers.csv", text)
    #expect(await site.run("import", file) == .success)
    #expect(site.captured.output == "2 of 2 purchases are linked\n")
    let asked = site.calls(.history)
    #expect(asked == 4, "three pages of one history and one of the other")
    #expect(await site.run("import", file) == .success)
    #expect(site.calls(.history) == asked)
    let more = try site.file("more.csv", text + Self.line(ids[1], "ben"))
    #expect(await site.run("import", more, isWatched: true) == .success)
    #expect(site.captured.output.hasSuffix("3 of 3 purchases are linked\n"))
    #expect(site.captured.diagnostics.hasSuffix("\r\u{1B}[K"))
  }

  @Test(arguments: [
    ("", "The first line is not transactionId,customer,bundleId."),
    ("customer,transactionId,bundleId\n", "The first line is not transactionId,customer,bundleId."),
    ("transactionId;customer;bundleId\n", "The first line is not transactionId,customer,bundleId."),
  ])
  func `a file of another form is unusable`(text: String, reason: String) async throws {
    let (site, _) = try Self.site()
    let file = try site.file("customers.csv", text)
    #expect(await site.run("import", file) == .unusable)
    #expect(site.captured.diagnostics.contains(reason))
    #expect(site.calls(.transactionInfo) == 0)
  }

  @Test func `a file that is not there is unusable, and none at all too`() async throws {
    let (site, _) = try Self.site()
    #expect(await site.run("import", "/nowhere/customers.csv") == .unusable)
    #expect(await site.run("import") == .unusable)
    #expect(site.captured.diagnostics.contains("FILE is missing."))
  }

  @Test func `a file without lines is done at once`() async throws {
    let (site, _) = try Self.site()
    let file = try site.file("customers.csv", Self.header)
    #expect(await site.run("import", file) == .success)
    #expect(site.captured.output == "0 of 0 purchases are linked\n")
  }
}
