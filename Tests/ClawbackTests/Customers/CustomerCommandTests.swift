import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Foundation
import Synchronization
import Testing

@testable import clawback

/// What an operator does for customers and says of products while no server runs.
struct CustomerCommandTests {
  /// A ledger after a subscription and a consumable of Ada's, of which the catalog knows nothing.
  private final class Shop {
    let site: AskedSite
    let ada: String
    let purchase: String

    init(hasMute: Bool = false) async throws {
      let names = Mutex<[String]>([])
      site = try AskedSite(hasMute: hasMute) { stage in
        let ada = stage.store.enroll("Ada")
        let purchase = try stage.buy(.pro, ada)
        _ = try stage.buy(.coins, ada, quantity: 2)
        names.withLock { $0 = [ada.appAccountToken ?? "", purchase] }
      }
      (ada, purchase) = names.withLock { ($0[0], $0[1]) }
      #expect(await site.run("reconcile", "--json") == (hasMute ? .failure : .success))
    }

    /// What a command says: on standard output, then in the diagnostics.
    func say(_ words: [String], _ code: ExitCode = .success) async -> String {
      let console = CapturedConsole()
      let ended = await site.run(words + ["--app", "com.example.app"], on: console)
      #expect(ended == code, "\(words): \(console.diagnostics)")
      return console.output + console.diagnostics
    }

    func json(_ words: [String]) async throws -> JSONValue {
      let console = CapturedConsole()
      let ended = await site.run(words + ["--app", "com.example.app", "--json"], on: console)
      #expect(ended == .success, "\(words): \(console.diagnostics)")
      return try JSONValue(json: Array(console.output.utf8))
    }
  }

  @Test func `a product that no catalog maps is found and put, and counts for whoever bought it`()
    async throws
  {
    let shop = try await Shop()
    let product = SimulatedProduct.pro.id
    #expect(await shop.say(["customers", "show", shop.ada]).contains("'clawback alerts list'"))
    let alerts = await shop.say(["alerts", "list"])
    #expect(alerts.contains("com.example.app  Production   2"))
    #expect(alerts.contains("unmappedProduct  productId  \(product)"))
    #expect(alerts.contains("'clawback catalog put PRODUCT --entitlement NAME'"))
    let put = ["catalog", "put", product, "--entitlement", "pro", "--entitlement", "beta"]
    #expect(await shop.say(put) == "It counts for \(product) from now on.\n")
    #expect(await shop.say(put) == "The same counted for \(product) before.\n")
    let shown = await shop.say(["customers", "show", shop.ada])
    #expect(shown.hasPrefix("entitlement  decision  reason        until"))
    #expect(shown.contains("\npro          granted   activePeriod  "))
    #expect(await shop.say(["catalog", "list"]).contains("\(product)"))
    let page = await shop.say(["catalog", "show", product])
    #expect(page.contains("pro,beta") && page.contains("What counts is by a statement."))
    #expect(page.contains("command line  stated"))
    _ = await shop.say(["catalog", "withdraw", product])
    #expect(await shop.say(["customers", "show", shop.ada]).contains("'clawback alerts list'"))
    #expect(await shop.say(["catalog", "show", "none"], .failure).contains("does not list"))
  }

  @Test func `credits that a command gives a consumable are there when it ends`() async throws {
    let shop = try await Shop()
    let put = [
      "catalog", "put", SimulatedProduct.coins.id, "--credits", "50", "--credit-unit", "coins",
    ]
    _ = await shop.say(put)
    let balances = await shop.say(["customers", "balances", shop.ada])
    #expect(balances.hasPrefix("unit   balance  available  held  owed  frozen\ncoins  100 "))
    #expect(balances.contains("\nunit   transaction"))
    let debt = ["customers", "forgive", shop.ada, "none", "--reason", "x"]
    #expect(await shop.say(debt, .failure).contains("no such debt"))
  }

  @Test func `a policy is put, shown and withdrawn`() async throws {
    let shop = try await Shop()
    #expect(await shop.say(["policy", "show"]).hasPrefix("None is stated: 60 min"))
    _ = await shop.say(["policy", "put", "--unknown-customer", "allow", "--from", "2026-01-01"])
    let shown = await shop.say(["policy", "show"])
    #expect(shown.contains("60 min          allow             debt           2026-01-01T00:00:00Z"))
    _ = await shop.say(["policy", "withdraw"])
    #expect(await shop.say(["policy", "show"]).contains("What counts is by the configuration."))
    #expect(await shop.say(["policy", "put"], .unusable).contains("is missing"))
  }

  @Test func `several entries are put by a file`() async throws {
    let shop = try await Shop()
    let file = try shop.site.file(
      "entries.json",
      #"""
      {"entries":[{"entitlements":["old"]},
        {"entitlements":["new"],"effectiveFromMs":1790000000000}]}
      """#)
    _ = await shop.say(["catalog", "put", "p", "--file", file])
    let page = try await shop.json(["catalog", "show", "p"])
    #expect(page["entries"]?.array?.count == 2)
    let both = ["catalog", "put", "p", "--file", file, "--credits", "1"]
    #expect(await shop.say(both, .unusable).contains("cannot be stated together"))
    let broken = try shop.site.file("broken.json", "[]")
    let unread = await shop.say(["catalog", "put", "p", "--file", broken], .unusable)
    #expect(unread.contains("is no JSON object with entries"))
  }

  @Test func `purchases and tokens find their customer`() async throws {
    let shop = try await Shop()
    _ = await shop.say(["catalog", "put", SimulatedProduct.pro.id, "--entitlement", "pro"])
    let link = ["customers", "link", "ben", shop.purchase]
    #expect(await shop.say(link, .failure).contains("Refused"))
    let move = ["customers", "transfer", "ben", shop.purchase]
    #expect(await shop.say(move, .unusable).contains("--reason is missing."))
    #expect(
      await shop.say(move + ["--reason", "asked"]) == "Moved \(shop.purchase) to ben.\n")
    #expect(await shop.say(["customers", "show", "ben"]).contains("granted"))
    let lines = await shop.say(["customers", "timeline", "ben"]).split(separator: "\n")
    #expect(lines.first?.hasPrefix("at ") == true && lines.count > 3)
    #expect(lines.contains { $0.contains("  granted  ") })
    let token = ["customers", "token", "cleo", "3F2504E0-4F89-41D3-9A0C-0305E82C3301"]
    #expect(await shop.say(token) == "Registered the token for cleo.\n")
    #expect(await shop.say(token) == "It was registered for cleo before.\n")
    let other = ["customers", "token", "dan", "3F2504E0-4F89-41D3-9A0C-0305E82C3301"]
    #expect(await shop.say(other, .failure).contains("Another customer registered the token."))
    let unlink = ["customers", "unlink", "cleo", shop.purchase, "--reason", "x"]
    #expect(await shop.say(unlink, .failure).contains("Only a link can be taken back."))
  }

  @Test func `access by hand is given, listed and taken back, and a customer is forgotten`()
    async throws
  {
    let shop = try await Shop()
    let give = ["grants", "give", "eve", "pro", "--reason", "goodwill", "--until", "2099-01-01"]
    let grant = await shop.say(give).prefix { $0 != "\n" }
    #expect(grant.hasPrefix("grant_"))
    #expect(await shop.say(["customers", "show", "eve"]).contains("granted   manualGrant"))
    _ = await shop.say(["grants", "revoke", "eve", String(grant), "--reason", "mistake"])
    let listed = await shop.say(["grants", "list", "eve"])
    #expect(listed.contains("2099-01-01T00:00:00Z  command line  goodwill  2"))
    #expect(listed.contains("by command line (mistake)"))
    let again = ["grants", "revoke", "eve", String(grant), "--reason", "mistake"]
    #expect(await shop.say(again, .failure).contains("no such grant"))
    #expect(await shop.say(["customers", "forget", "eve"]).hasPrefix("Forgot eve in "))
    #expect(await shop.say(["customers", "forget", "eve"]).hasPrefix("Nobody is known as eve"))
    #expect(await shop.say(["grants", "list", "eve"]).hasPrefix("Nothing was ever given to eve"))
    #expect(await shop.say(["customers", "show", "eve"]).hasPrefix("Nothing is known of eve"))
  }

  @Test func `what these commands print for programs is as their schemas say`() async throws {
    let shop = try await Shop()
    let rows: [(words: [String], schema: JSONSchema)] = try [
      (["catalog", "put", "p", "--entitlement", "pro"], JSONSchema("changed")),
      (["catalog", "list"], JSONSchema("apps")), (["catalog", "show", "p"], JSONSchema("product")),
      (["catalog", "withdraw", "p"], JSONSchema("changed")),
      (["policy", "put", "--spent-credits", "freeze"], JSONSchema("changed")),
      (["policy", "show"], JSONSchema("policy")),
      (["policy", "withdraw"], JSONSchema("changed")),
      (["alerts", "list"], JSONSchema("alerts-list")),
      (["grants", "give", shop.ada, "pro", "--reason", "x"], JSONSchema("grant")),
      (["grants", "list", shop.ada], JSONSchema("grants")),
      (["customers", "show", shop.ada], JSONSchema("entitlements")),
      (["customers", "show", shop.ada, "--at", "2099-01-01"], JSONSchema("entitlements")),
      (["customers", "timeline", shop.ada], JSONSchema("timeline")),
      (["customers", "balances", shop.ada], JSONSchema("balances")),
      (["customers", "link", shop.ada, shop.purchase], JSONSchema("changed")),
      (
        ["customers", "transfer", "ben", shop.purchase, "--reason", "x"], JSONSchema("changed")
      ),
      (
        ["customers", "token", "ben", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"],
        JSONSchema("changed")
      ),
      (["customers", "forget", shop.ada], JSONSchema("erasure")),
    ]
    for (words, schema) in rows {
      #expect(try schema.findings(in: try await shop.json(words)) == [], "\(words)")
    }
  }

  @Test func `which app and environment are meant is never guessed`() async throws {
    let shop = try await Shop(hasMute: true)
    let console = CapturedConsole()
    let show = await shop.site.run(["customers", "show", "u"], on: console)
    #expect(show == .unusable)
    #expect(
      console.diagnostics.contains("has several apps: com.example.app, com.example.mute."))
    #expect(console.diagnostics.contains("with --app"))
    let put = await shop.site.run(["catalog", "put", "p", "--entitlement", "x"], on: console)
    #expect(put == .unusable)
    let other = ["customers", "show", "u", "--app", "com.other"]
    #expect(await shop.site.run(other, on: console) == .failure)
    #expect(console.diagnostics.contains("com.other is not in the configuration"))
  }
}
