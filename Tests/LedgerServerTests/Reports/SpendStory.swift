import AppStoreModel
import AppStoreSimulator
import Testing

@testable import LedgerServer

/// A purchase that money is spent on while its refund becomes known by one channel or another.
///
/// Everything goes through the routes of the real service.
final class SpendStory {
  let served: ServedLedger
  let customer: Customer
  let bought: String

  init(appStore: AppStoreSource? = nil) throws {
    let served = try ServedLedger(appStore: appStore) { configuration in
      configuration.reconciliation.isScheduled = false
      configuration.reconciliation.budgetPercent = 100
    }
    self.served = served
    customer = served.stage.store.enroll("u")
    bought = try served.stage.buy(.themes, customer)
    _ = try served.deliver()
  }

  /// Apple's date of the refund.
  private(set) var refundedAt = ServedLedger.start

  func wait(_ span: TimeSpan) {
    served.stage.wait(span)
    served.moment.set(served.stage.now)
  }

  func refund() throws {
    refundedAt = served.stage.now
    try served.stage.refund(bought)
  }

  /// Asks the gate; the id of the hold, or `nil` where it is denied.
  func hold(_ milliunits: Int64) throws -> String? {
    let body = """
      {"customer":"\(customer.appAccountToken ?? "")","entitlement":"\(SimulatedProduct.themes.id)",\
      "amount":{"milliunits":\(milliunits),"currency":"USD"},"holdSeconds":86400}
      """
    let answer = try served.call("POST /v1/spend/authorizations", .spend, body: body)
    let json = try JSONValue(json: Array(answer.body.utf8))
    return json["decision"]?.string == "allow" ? json["id"]?.string : nil
  }

  func settle(_ id: String, _ milliunits: Int64) throws {
    let answer = try served.call(
      "POST /v1/spend/authorizations/\(id)/settle", .spend,
      body: #"{"amount":{"milliunits":\#(milliunits),"currency":"USD"}}"#)
    #expect(answer.status == 200)
  }

  func spend(_ milliunits: Int64) throws {
    try settle(try #require(try hold(milliunits)), milliunits)
  }

  func reportByDevice(version: String? = nil) throws {
    let copies = served.deviceCopies(of: customer).map { "\"\($0)\"" }.joined(separator: ",")
    let member = version.map { ",\"appVersion\":\"\($0)\"" } ?? ""
    let answer = try served.call(
      "POST /v1/transactions", .device, body: "{\"signedTransactions\":[\(copies)]\(member)}")
    #expect(answer.status == 200)
  }

  func report(_ query: String = "") throws -> (status: Int, header: String, body: String) {
    try served.call("GET /v1/reports/late-spend\(query)", .read)
  }

  /// The only refund of the report.
  func line() throws -> JSONValue? {
    let refunds = try JSONValue(json: Array(try report().body.utf8))["refunds"]?.array ?? []
    return refunds.count == 1 ? refunds.first : nil
  }
}

extension JSONValue {
  /// Amounts of one split as `2.500 USD` would be `2500000 USD`.
  func amounts(_ name: String) -> String {
    let list = self["spend"]?[name]?.array ?? self[name]?["amounts"]?.array ?? []
    return list.map { "\($0["microunits"]?.integer ?? 0) \($0["currency"]?.string ?? "")" }
      .joined(separator: ", ")
  }

  func hours(_ name: String, after start: Timestamp) -> Double? {
    self[name]?.integer.map { Double($0 - start.millisecondsSince1970) / 3_600_000 }
  }
}
