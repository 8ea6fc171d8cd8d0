import AppStoreModel
import AppStoreSimulator
import ContractSupport
import EntitlementLedger
import LedgerStorage
import Testing

@testable import LedgerServer

/// What the server answers about what was missed, and how much was compared.
struct ReconciliationRoutesTests {
  /// A server that knows of one purchase and three gaps.
  private func served() throws -> ServedLedger {
    let served = try ServedLedger { configuration in
      configuration.apps[0].catalog = [
        CatalogEntry(productId: "com.example.app.yacht", entitlements: ["sea"])
      ]
    }
    _ = try served.stage.buy(.themes, served.stage.store.enroll("u"))
    _ = try served.deliver()
    let ledger = served.service.ledger
    let scope = Scope(
      realm: ledger.realm, bundleId: served.stage.store.app.bundleId, environment: .sandbox)
    let now = served.stage.now
    let items = ["a", "b", "c"].map { uuid in
      HistoryItem(
        notificationUUID: uuid, type: "REFUND", subtype: nil, signedDate: now,
        originalTransactionId: nil, transactionId: "7",
        textSHA256: [UInt8](repeating: 1, count: 32),
        attempts: [SendingAttempt(date: now, result: "TIMED_OUT")], delivery: nil, refusal: nil)
    }
    let found = try ledger.wait { completion in
      ledger.write(completion) { (recorder) throws(StoreError) in
        try recorder.takeHistory(items, in: scope, at: now)
      }
    }
    #expect(found == 3)
    return served
  }

  @Test func `gaps are told page by page, as their schema says`() throws {
    let served = try served()
    defer { served.stop() }
    let whole = try served.call("GET /v1/reports/gaps", .read).body
    #expect(try JSONSchema("gaps").findings(in: whole) == [])
    let gaps = try #require(JSONValue(json: Array(whole.utf8))["gaps"]?.array)
    #expect(gaps.compactMap { $0["notificationUUID"]?.string } == ["a", "b", "c"])
    #expect(gaps.allSatisfy { $0["reason"]?.string == "outage" })
    let page = try served.call("GET /v1/reports/gaps?limit=2", .read).body
    let next = try #require(JSONValue(json: Array(page.utf8))["next"]?.integer)
    let rest = try served.call("GET /v1/reports/gaps?limit=2&after=\(next)", .read).body
    #expect(try JSONValue(json: Array(rest.utf8))["gaps"]?.array?.count == 1)
    #expect(try JSONValue(json: Array(rest.utf8))["next"] == nil)
  }

  @Test func `gaps come as comma-separated values too, with a link to the next page`() throws {
    let served = try served()
    defer { served.stop() }
    let answer = try served.call("GET /v1/reports/gaps?format=csv&limit=2", .spend)
    #expect(answer.body.split(separator: "\r\n").count == 3)
    #expect(answer.body.hasPrefix("notificationUUID,type,subtype,"))
    #expect(answer.header.contains("rel=\"next\""))
  }

  @Test func `coverage is told as its schema says, silent products among it`() throws {
    let served = try served()
    defer { served.stop() }
    let answer = try served.call("GET /v1/reports/coverage", .read).body
    #expect(try JSONSchema("coverage").findings(in: "{\"scopes\":[\(answer)]}") == [])
    let products = try #require(JSONValue(json: Array(answer.utf8))["products"]?.array)
    #expect(
      products.map { "\($0["productId"]?.string ?? "") \($0["isSilent"] == .bool(true))" }
        == ["com.example.app.themes false", "com.example.app.yacht true"])
    let table = try served.call("GET /v1/reports/coverage?format=csv", .read).body
    #expect(table.split(separator: "\r\n").count == 5)
  }

  @Test(arguments: [
    ("gaps?after=x", 400), ("gaps?limit=0", 400), ("gaps?limit=501", 400),
    ("gaps?format=xml", 400), ("coverage?format=xml", 400), ("gaps?app=com.other", 403),
  ])
  func `what makes no sense is refused`(query: String, status: Int) throws {
    let served = try served()
    defer { served.stop() }
    let answer = try served.call("GET /v1/reports/\(query)", .read)
    #expect(answer.status == status)
    #expect(try JSONSchema("problem").findings(in: answer.body) == [])
    #expect(try served.call("GET /v1/reports/gaps").status == 401)
  }
}
