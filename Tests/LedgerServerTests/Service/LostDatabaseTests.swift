import AppStoreModel
import AppStoreSimulator
import Glibc
import LedgerStorage
import SQLiteStorage
import Testing

@testable import LedgerServer

/// A database file that goes away under a running server.
struct LostDatabaseTests {
  private let folder: TestFolder
  private var path: String { folder.file("ledger.db") }

  init() throws { folder = try TestFolder() }

  @Test func `nothing is acknowledged while the file is away, and all works once it is back`()
    throws
  {
    let served = try ServedLedger(database: "sqlite:" + path)
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    let bought = try served.stage.buy(.themes, customer)
    #expect(try served.deliver() == [200])
    #expect(try served.call("GET /readyz").status == 200)
    rename(path, path + ".away")
    try served.stage.refund(bought)
    let refused = try served.deliver()
    #expect(!refused.isEmpty && refused.allSatisfy { $0 == 503 })
    let ready = try served.call("GET /readyz")
    #expect(ready.status == 503)
    #expect(
      ready.body.contains(#"{"code":"storeUnavailable","detail":"the database file is no lon"#))
    #expect(ready.body.contains("Put the database file back"))
    rename(path + ".away", path)
    #expect(try served.call("GET /readyz").status == 200)
    #expect(try served.deliverAgain().allSatisfy { $0 == 200 })
    #expect(try served.verdict(customer, SimulatedProduct.themes.id) == "denied")
  }

  @Test func `a full disk is told until a write goes through again`() throws {
    let served = try ServedLedger(
      database: "sqlite:" + path, settings: SQLiteSettings(greatestPageCount: 300))
    defer { served.stop() }
    #expect(try served.call("GET /readyz").status == 200)
    var statuses: [Int] = []
    while statuses.last != 503, statuses.count < 500 {
      let customer = served.stage.store.enroll("u\(statuses.count)")
      _ = try served.stage.buy(.themes, customer)
      statuses += try served.deliver()
    }
    #expect(statuses.last == 503)
    let ready = try served.call("GET /readyz")
    #expect(ready.status == 503)
    #expect(ready.body.contains(#""code":"storeUnavailable","detail":"the disk is full"#))
    while try served.call("GET /readyz").status != 200 {}
  }

  @Test func `a deleted file is noticed at once, by every route that would write`() throws {
    let served = try ServedLedger(database: "sqlite:" + path)
    defer { served.stop() }
    let customer = served.stage.store.enroll("u")
    _ = try served.stage.buy(.themes, customer)
    #expect(try served.deliver() == [200])
    _ = try served.secret(.spend)
    unlink(path)
    #expect(try served.deliverAgain() == [503])
    let spend = try served.call(
      "POST /v1/spend/authorizations", .spend,
      body: """
        {"customer":"u","entitlement":"x","amount":{"milliunits":1,"currency":"USD"}}
        """)
    #expect(spend.status == 503)
    #expect(spend.header.contains("Retry-After: 1"))
    #expect(spend.body.contains(#""code":"storeUnavailable""#))
  }

  @Test func `a failure inside the store is the server's, and the log says what the store said`()
    throws
  {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let served = try ServedLedger(log: Log(descriptor: ends[1]))
    let trigger = SQLStatement(
      """
      CREATE TRIGGER one_notification BEFORE INSERT ON facts
      BEGIN SELECT RAISE(ABORT, 'no fact may be kept'); END
      """)
    let ledger = served.service.ledger
    try ledger.wait { (completion: @escaping Ledger.Completion<Void>) in
      ledger.write(completion) { (recorder) throws(StoreError) in
        try recorder.session.run(trigger, [])
      }
    }
    let customer = served.stage.store.enroll("u")
    _ = try served.stage.buy(.themes, customer)
    #expect(try served.deliver() == [500])
    served.stop()
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(ends[0], &bytes, bytes.count)
    close(ends[0])
    let log = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    #expect(
      log.contains(
        #""status":500,"code":"internalError","cause":"the database contradicts itself: "#
          + #"no fact may be kept (SQLite 1811)""#))
  }
}
