import AppStoreModel
import AppStoreSimulator
import ContractSupport
import EntitlementLedger
import LedgerReports
import LedgerStorage
import Testing

@testable import LedgerServer

/// Clusters of refunds for a fault, through the routes of the real service.
struct ClusterTests {
  /// Forty days of purchases by version 4.1, then 4.2, whose purchases are refunded for a fault.
  private static func served(faults: Int) throws -> ServedLedger {
    let served = try ServedLedger { $0.limits.deviceRequestsPerMinute = 10_000 }
    var bought: [String] = []
    for day in 0..<40 {
      let customer = served.stage.store.enroll("c\(day)")
      bought = []
      for _ in 0..<12 { bought.append(try served.stage.buy(.coins, customer)) }
      if day % 8 == 1 {
        try served.stage.refund(bought[0], because: .developerIssue)
      }
      _ = try served.deliver()
      try report(served, customer, version: day < 36 ? "4.1" : "4.2")
      served.stage.waitDays(1)
    }
    for id in bought.prefix(faults) { try served.stage.refund(id, because: .developerIssue) }
    _ = try served.deliver()
    return served
  }

  private static func report(
    _ served: ServedLedger, _ customer: Customer, version: String
  ) throws {
    let copies = served.deviceCopies(of: customer).map { "\"\($0)\"" }.joined(separator: ",")
    let answer = try served.call(
      "POST /v1/transactions", .device,
      body: "{\"signedTransactions\":[\(copies)],\"appVersion\":\"\(version)\"}")
    #expect(answer.status == 200)
  }

  private static func clusters(_ served: ServedLedger) throws -> [JSONValue] {
    let body = try served.call("GET /v1/reports/clusters", .read).body
    #expect(try JSONSchema("clusters").findings(in: body) == [])
    return try JSONValue(json: Array(body.utf8))["clusters"]?.array ?? []
  }

  private static func told(_ served: ServedLedger) throws -> [JSONValue] {
    var events: [JSONValue] = []
    var after: Int64 = 0
    while true {
      let body = try served.call("GET /v1/events?limit=500&after=\(after)", .read).body
      #expect(try JSONSchema("events").findings(in: body) == [])
      let page = try JSONValue(json: Array(body.utf8))
      let found = page["events"]?.array ?? []
      events += found.filter { $0["type"]?.string == "faultCluster" }
      guard let next = page["next"]?.integer, next > after else { return events }
      after = next
    }
  }

  @Test func `a fault of one version is told once, by an event and in the report`() throws {
    let served = try Self.served(faults: 9)
    defer { served.stop() }
    let keeper = served.service.clusters
    // The server's own look may have come first, and found only some of them.
    #expect(try keeper.look(at: served.moment.get()) <= 1)
    #expect(try keeper.look(at: served.moment.get().adding(.hours(1))) == 0)
    let clusters = try Self.clusters(served)
    #expect(clusters.count == 1)
    let cluster = try #require(clusters.first)
    #expect(cluster["refunds"]?.integer == 9)
    #expect(cluster["summary"]?.string?.hasPrefix("9 refunds for a fault in ") == true)
    let events = try Self.told(served)
    #expect(events.count == 1)
    #expect(events.first?["data"]?["cluster"] == cluster["cluster"])
    #expect(events.first?["data"]?["firstDay"] == cluster["firstDay"])
    #expect(events.first?["customer"] == nil)
    let data = try #require(events.first?["data"])
    #expect(try JSONSchema("cluster").findings(in: data) == [])
    let csv = try served.call("GET /v1/reports/clusters?format=csv", .read).body
    #expect(csv.split(separator: "\r\n").count == 2)
    let production = try served.call("GET /v1/reports/clusters", .read, .production).body
    #expect(production.contains(#""clusters":[]"#))
  }

  @Test func `the usual refunds are no cluster, and purchases are counted under their version`()
    throws
  {
    let served = try Self.served(faults: 0)
    defer { served.stop() }
    #expect(try served.service.clusters.look(at: served.moment.get()) == 0)
    #expect(try Self.clusters(served).isEmpty)
    let scope = Scope(
      realm: served.service.ledger.realm, bundleId: "com.example.app", environment: .sandbox)
    let counts = try served.service.ledger.makeReader().read { (recorder) throws(StoreError) in
      try recorder.purchaseCounts(in: scope, from: UTCDay(0))
    }
    let byVersion = Dictionary(grouping: counts) { $0.cell.appVersion ?? "unknown" }
      .mapValues { $0.reduce(0) { $0 + $1.purchases } }
    #expect(byVersion == ["4.1": 36 * 12, "4.2": 4 * 12])
  }
}
