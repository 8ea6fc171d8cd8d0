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
      customer: CustomerKey(scope: scope, id: customer),
      purpose: SpendPurpose(entitlement: entitlement, cost: try SpendQuestion.cost(json)),
      holdLength: try SpendQuestion.holdLength(json),
      idempotency: try SpendQuestion.idempotency(call, scope))
  }

  /// Shape: `"amount":{"milliunits":1500,"currency":"USD"}`, or finer with `microunits`.
  static func cost(_ json: JSONValue) throws(Problem) -> Cost {
    let amount = json["amount"]
    let code = amount?["currency"]?.string ?? ""
    let isCode = code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    guard code.utf8.count == 3, isCode else {
      throw Problem(.malformedBody, "amount.currency is a code of three letters, as USD.")
    }
    let currency = Currency(code: code)
    let milliunits = amount?["milliunits"]?.integer
    let microunits = amount?["microunits"]?.integer
    let cost: Cost? =
      switch (amount?["milliunits"], amount?["microunits"]) {
      case (nil, _): microunits.flatMap { Cost(microunits: $0, currency: currency) }
      case (_, nil): milliunits.flatMap { Cost(Money(milliunits: $0, currency: currency)) }
      default: nil
      }
    guard let cost else {
      throw Problem(
        .malformedBody,
        "amount has either milliunits, a whole number from 0 to \(Cost.greatest / 1_000), "
          + "or microunits, from 0 to \(Cost.greatest).")
    }
    return cost
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
  ) throws(Problem) -> RequestKey? {
    guard let key = call.request.headers["idempotency-key"] else { return nil }
    guard !key.isEmpty, key.utf8.count <= 255 else {
      throw Problem(.badParameter, "Idempotency-Key is a text of 1 to 255 bytes.")
    }
    return RequestKey(
      caller: call.key?.name ?? "", key: key,
      requestSHA256: Fingerprint(hashing: Array(scope.bundleId.utf8) + [0] + call.request.body)
        .bytes)
  }
}
