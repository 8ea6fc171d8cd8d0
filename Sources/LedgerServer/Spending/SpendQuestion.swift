import HTTPListener
import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// The body of a question to the spend gate, read.
struct SpendQuestion {
  let request: SpendRequest

  init(_ call: Call) throws(Problem) {
    let json = try call.json()
    guard let name = json["customer"]?.string, name.utf8.count <= 255,
      let customer = CustomerID(name)
    else { throw Problem(.malformedBody, "customer is a text of 1 to 255 bytes.") }
    guard let entitlement = json["entitlement"]?.string, !entitlement.isEmpty else {
      throw Problem(.malformedBody, "entitlement is missing.")
    }
    let scope = try call.scope()
    request = SpendRequest(
      customer: CustomerKey(scope: scope, id: customer), entitlement: entitlement,
      amount: try SpendQuestion.amount(json), holdLength: try SpendQuestion.holdLength(json),
      idempotency: try SpendQuestion.idempotency(call, scope))
  }

  /// A thousand million units of any currency: sums of many stay within 64 bits.
  private static let greatestAmount: Int64 = 1_000_000_000_000

  /// Shape: `"amount":{"milliunits":1500,"currency":"USD"}`.
  static func amount(_ json: JSONValue) throws(Problem) -> Money {
    guard let milliunits = json["amount"]?["milliunits"]?.integer,
      (0...greatestAmount).contains(milliunits)
    else {
      throw Problem(
        .malformedBody, "amount.milliunits is a whole number from 0 to \(greatestAmount).")
    }
    let code = json["amount"]?["currency"]?.string ?? ""
    let isCode = code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    guard code.utf8.count == 3, isCode else {
      throw Problem(.malformedBody, "amount.currency is a code of three letters, as USD.")
    }
    return Money(milliunits: milliunits, currency: Currency(code: code))
  }

  /// Ten minutes unless stated; a day at most.
  private static func holdLength(_ json: JSONValue) throws(Problem) -> TimeSpan {
    guard let member = json["holdSeconds"] else { return .minutes(10) }
    guard let seconds = member.integer, (1...86_400).contains(seconds) else {
      throw Problem(.malformedBody, "holdSeconds is a number from 1 to 86400.")
    }
    return .seconds(seconds)
  }

  /// The same key for another app is another request: what was decided for one says nothing of the other.
  private static func idempotency(
    _ call: Call, _ scope: Scope
  ) throws(Problem) -> SpendRequest.Idempotency? {
    guard let key = call.request.headers["idempotency-key"] else { return nil }
    guard !key.isEmpty, key.utf8.count <= 255 else {
      throw Problem(.badParameter, "Idempotency-Key is a text of 1 to 255 bytes.")
    }
    return SpendRequest.Idempotency(
      caller: call.key?.name ?? "", key: key,
      requestSHA256: Fingerprint(hashing: Array(scope.bundleId.utf8) + [0] + call.request.body)
        .bytes)
  }
}
