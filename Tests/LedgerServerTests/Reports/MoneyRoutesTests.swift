import AppStoreModel
import AppStoreSimulator
import ContractSupport
import LedgerStorage
import Testing

@testable import LedgerServer

struct MoneyRoutesTests {
  private static let pro = SimulatedProduct.pro.id

  /// A server that heard of every kind of revocation.
  private static func served() throws -> ServedLedger {
    let served = try ServedLedger()
    let payer = served.stage.store.enroll("payer", family: "f")
    let child = served.stage.store.enroll("child", family: "f")
    let chain = try served.stage.buy(.pro, payer)
    _ = try served.stage.store.share(chain, with: child, at: served.stage.now)
    let themes = try served.stage.buy(.themes, served.stage.store.enroll("a"))
    let coins = try served.stage.buy(.coins, served.stage.store.enroll("b"), quantity: 3)
    served.stage.waitDays(1)
    try served.stage.refund(chain, prorated: 50_000)
    try served.stage.refund(themes)
    try served.stage.store.requestRefund(of: coins, at: served.stage.now)
    try served.stage.store.declineRefund(of: coins, at: served.stage.now)
    served.stage.waitDays(40)
    try served.stage.store.reverseRefund(of: themes, at: served.stage.now)
    _ = try served.deliver()
    return served
  }

  private static func lines(_ served: ServedLedger, _ query: String = "") throws -> [JSONValue] {
    let answer = try served.call("GET /v1/reports/refunds\(query)", .read)
    #expect(try JSONSchema("refund-report").findings(in: answer.body) == [])
    return try JSONValue(json: Array(answer.body.utf8))["lines"]?.array ?? []
  }

  /// Shape: month, product, and every sum that is not zero.
  private static func words(_ line: JSONValue) -> String {
    let month = Timestamp(millisecondsSince1970: line["periodStartMs"]?.integer ?? 0).rfc3339
    let sums = MoneyColumn.all.compactMap { column -> String? in
      let sum = line[column.name]
      guard let count = sum?["count"]?.integer, count > 0 else { return nil }
      return "\(column.name) \(count)" + (sum?["milliunits"]?.integer.map { "=\($0)" } ?? "")
    }
    let product = (line["productId"]?.string ?? "").split(separator: ".").last ?? ""
    return "\(month.prefix(7)) \(product) \(line["currency"]?.string ?? "-"): "
      + sums.joined(separator: " ") + " net \(line["netMilliunits"]?.integer ?? 0)"
  }

  @Test func `refunds, shares, families, declines and reversals are kept apart by month`() throws {
    let served = try Self.served()
    defer { served.stop() }
    let price = SimulatedProduct.pro.price.milliunits
    let coins = SimulatedProduct.coins.price.milliunits
    #expect(
      try Self.lines(served).map(Self.words).sorted()
        == [
          "2026-09 coins USD: declines 1=\(coins) net 0",
          "2026-09 pro -: familyRevocations 1 net 0",
          "2026-09 pro USD: proratedRefunds 1=\(price / 2) net \(price / 2)",
          "2026-09 themes USD: fullRefunds 1=9990 net 9990",
          "2026-11 themes USD: reversals 1=9990 net -9990",
        ].sorted())
  }

  @Test func `pages of one line add up to the whole, as JSON and as a table`() throws {
    let served = try Self.served()
    defer { served.stop() }
    let whole = try Self.lines(served)
    var after: String? = ""
    var paged: [JSONValue] = []
    while let place = after {
      let query = place.isEmpty ? "" : "&after=\(place)"
      let body = try served.call("GET /v1/reports/refunds?limit=1\(query)", .read).body
      let page = try JSONValue(json: Array(body.utf8))
      paged += page["lines"]?.array ?? []
      after = page["next"]?.string
    }
    #expect(paged == whole)
    let csv = try served.call("GET /v1/reports/refunds?format=csv&limit=2&by=month", .read)
    #expect(
      csv.header.contains("Link: </v1/reports/refunds?app=com.example.app&format=csv&limit=2"))
    #expect(csv.header.contains("&by=month&after="))
    let rows = csv.body.split(separator: "\r\n")
    #expect(rows.count == 3)
    #expect(
      rows.first?.hasPrefix("periodStartMs,productId,currency,netMilliunits,fullRefundsCount")
        == true)
  }

  @Test func `a range leaves what Apple dates outside it`() throws {
    let served = try Self.served()
    defer { served.stop() }
    let reversed = served.stage.now.millisecondsSince1970
    #expect(try Self.lines(served, "?from=\(reversed)&by=day").count == 1)
    #expect(try Self.lines(served, "?until=\(reversed)").count == 4)
    #expect(try Self.lines(served, "?from=\(reversed + 1)").isEmpty)
  }

  @Test func `another environment sees nothing of it`() throws {
    let served = try Self.served()
    defer { served.stop() }
    for path in ["refunds", "late-spend", "signals"] {
      let body = try served.call("GET /v1/reports/\(path)", .read, .production).body
      #expect(body.contains(#""environment":"Production""#))
      #expect(!body.contains("com.example.app.themes"))
    }
    let signals = try served.call("GET /v1/reports/signals", .read, .production).body
    #expect(signals.contains(#""refunds":0,"backfilled":0,"unsighted":0"#))
  }

  @Test(
    arguments: [
      "refunds?by=year", "refunds?from=x", "refunds?after=x", "refunds?format=xml",
      "refunds?limit=0", "late-spend?after=x", "late-spend?until=-1", "signals?from=",
    ])
  func `a question that cannot be read is refused`(query: String) throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let answer = try served.call("GET /v1/reports/\(query)", .read)
    #expect(answer.status == 400)
    #expect(answer.body.contains("badParameter"))
    #expect(try served.call("GET /v1/reports/\(query)", .device).status == 403)
  }

  @Test func `late spend and signals are tables too`() throws {
    let served = try Self.served()
    defer { served.stop() }
    let late = try served.call("GET /v1/reports/late-spend?format=csv&limit=1", .read)
    #expect(late.header.contains("Link: </v1/reports/late-spend?app=com.example.app&format=csv"))
    #expect(late.body.hasPrefix("originalTransactionId,customer,"))
    let signals = try served.call("GET /v1/reports/signals?format=csv", .read).body
    #expect(signals.split(separator: "\r\n").count == 6)
  }

  @Test func `refunds from before the app was heard of here leave the delays`() throws {
    let served = try ServedLedger()
    defer { served.stop() }
    let bought = try served.stage.buy(.themes, served.stage.store.enroll("a"))
    served.stage.waitDays(1)
    try served.stage.refund(bought)
    served.stage.waitDays(9)
    _ = try served.deliver()
    let body = try served.call("GET /v1/reports/signals", .read).body
    #expect(body.contains(#""refunds":1,"backfilled":1,"unsighted":0,"channels""#))
  }

  @Test func `of a purchase the first version of the app that was stated is kept`() throws {
    let story = try SpendStory()
    defer { story.served.stop() }
    try story.reportByDevice()
    try story.reportByDevice(version: "4.1")
    try story.reportByDevice(version: "4.2")
    let versions = try story.served.service.ledger.makeReader().read {
      (recorder) throws(StoreError) in
      try recorder.session.rows(SQLStatement("SELECT app_version FROM reported_versions"), []) {
        (row) throws(StoreError) in try row.requiredText(0)
      }
    }
    #expect(versions == ["4.1"])
    let long = String(repeating: "9", count: 51)
    for version in ["5", "\"\(long)\"", "\"a\\u0007\""] {
      let answer = try story.served.call(
        "POST /v1/transactions", .device,
        body: "{\"signedTransactions\":[\"a.b.c\"],\"appVersion\":\(version)}")
      #expect(answer.status == 400)
    }
  }
}
