import HTTPListener
import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// The body of a question to the spend gate, or of a report of what was spent, read.
struct SpendQuestion {
  static let amountShape = BodyShape.members("milliunits", "microunits", "currency")
  static let useShape = BodyShape.members("units", "credits", "spentAtMs").with(
    "amount", amountShape)
  static let shape = BodyShape.members("customer", "entitlement", "kind", "unit", "units")
    .with("credits", .members("unit", "amount")).with("amount", amountShape)

  let customer: CustomerKey
  let purpose: SpendPurpose

  init(_ json: JSONValue, in scope: Scope) throws(Problem) {
    guard let name = json["customer"]?.string, StatedText.isCustomer(name),
      let customer = CustomerID(name)
    else {
      throw Problem(
        .malformedBody, "customer is a text of 1 to 255 bytes without control characters.")
    }
    self.customer = CustomerKey(scope: scope, id: customer)
    let entitlement = try SpendQuestion.word(json, "entitlement", greatest: 255)
    let credits = try SpendQuestion.credits(json)
    guard entitlement != nil || credits != nil else {
      throw Problem(.malformedBody, "entitlement or credits is missing.")
    }
    purpose = SpendPurpose(
      entitlement: entitlement, credits: credits, measure: try SpendQuestion.measure(json),
      cost: try SpendQuestion.cost(json))
  }

  /// A question with a time-limited hold.
  static func request(
    _ call: Call, _ spending: Configuration.Spending
  ) throws(Problem) -> SpendRequest {
    let json = try call.json()
    let scope = try call.scope()
    let question = try SpendQuestion(json, in: scope)
    return SpendRequest(
      customer: question.customer, purpose: question.purpose,
      holdLength: try holdLength(json, spending), limits: spending.limits,
      idempotency: try call.requestKey(in: scope))
  }

  /// Shape: `{"amount":{…},"units":…,"credits":…,"spentAtMs":…}`; what is left out is as it was held,
  /// and spent `now`.
  static func use(_ json: JSONValue, now: Timestamp) throws(Problem) -> SpendUse {
    let units = try count(json, "units")
    let credits = try count(json, "credits")
    return SpendUse(
      cost: try cost(json), units: units, credits: credits, spentAt: try moment(json, now))
  }

  /// Shape: an array of reports, each with an optional `spentAtMs`, not after `now`.
  static func reports(
    _ call: Call, _ scope: Scope, now: Timestamp
  ) throws(Problem) -> [SpendReport] {
    guard let items = try call.json().array, !items.isEmpty else {
      throw Problem(.malformedBody, "The body is an array of at least one report.")
    }
    guard items.count <= greatestCount else {
      throw Problem(.tooManyItems, "The limit is \(greatestCount) items.")
    }
    var reports: [SpendReport] = []
    for (place, item) in items.enumerated() {
      do throws(Problem) {
        let question = try SpendQuestion(item, in: scope)
        reports.append(
          SpendReport(
            customer: question.customer, purpose: question.purpose,
            spentAt: try moment(item, now) ?? now))
      } catch {
        throw Problem(error.code, "Item \(place): \(error.detail ?? "")")
      }
    }
    return reports
  }

  private static let greatestCount = 1_000

  /// Shape: `"amount":{"milliunits":1500,"currency":"USD"}`, or finer with `microunits`.
  static func cost(_ json: JSONValue) throws(Problem) -> Cost {
    guard let amount = json["amount"] else {
      throw Problem(
        .malformedBody,
        #"amount is missing: what it costs, as {"milliunits":1500,"currency":"USD"}."#)
    }
    let code = amount["currency"]?.string ?? ""
    let isCode = code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    guard code.utf8.count == 3, isCode else {
      throw Problem(.malformedBody, "amount.currency is a code of three letters, as USD.")
    }
    let currency = Currency(code: code)
    let cost: Cost? =
      switch (amount["milliunits"], amount["microunits"]) {
      case (nil, let number): number?.integer.flatMap { Cost(microunits: $0, currency: currency) }
      case (let number, nil):
        number?.integer.flatMap { Cost(Money(milliunits: $0, currency: currency)) }
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

  /// Shape: `"kind":"gpu","unit":"second","units":30`, all of them or none.
  static func measure(_ json: JSONValue) throws(Problem) -> SpendMeasure {
    let kind = try word(json, "kind", greatest: 64)
    let unit = try word(json, "unit", greatest: 64)
    let units = try count(json, "units")
    switch (kind, unit, units) {
    case (nil, nil, nil): return .oneRequest
    case (let kind?, let unit?, let units?):
      return SpendMeasure(kind: kind, unit: unit, units: units)
    default: throw Problem(.malformedBody, "kind, unit and units belong together.")
    }
  }

  private static func credits(_ json: JSONValue) throws(Problem) -> Credits? {
    guard let member = json["credits"] else { return nil }
    guard let unit = try word(member, "unit", greatest: 64),
      let amount = try count(member, "amount")
    else { throw Problem(.malformedBody, "credits has a unit and an amount.") }
    return Credits(unit: unit, amount: amount)
  }

  static func word(
    _ json: JSONValue, _ name: String, greatest: Int
  ) throws(Problem) -> String? {
    guard let member = json[name] else { return nil }
    guard let text = member.string, StatedText.isPlain(text, upTo: greatest) else {
      throw Problem(
        .malformedBody, "\(name) is a text of 1 to \(greatest) bytes without control characters.")
    }
    return text
  }

  private static func count(_ json: JSONValue, _ name: String) throws(Problem) -> Int64? {
    guard let member = json[name] else { return nil }
    guard let number = member.integer, (0...Credits.greatest).contains(number) else {
      throw Problem(
        .malformedBody, "\(name) is a whole number from 0 to \(Credits.greatest).")
    }
    return number
  }

  private static func moment(_ json: JSONValue, _ now: Timestamp) throws(Problem) -> Timestamp? {
    guard let member = json["spentAtMs"] else { return nil }
    // A clock may run ahead of ours by a little.
    guard let number = member.integer, number >= 0,
      number <= now.adding(.minutes(5)).millisecondsSince1970
    else {
      throw Problem(
        .malformedBody, "spentAtMs is a moment in milliseconds since 1970, not to come.")
    }
    return Timestamp(millisecondsSince1970: number)
  }

  private static func holdLength(
    _ json: JSONValue, _ spending: Configuration.Spending
  ) throws(Problem) -> TimeSpan {
    guard let member = json["holdSeconds"] else { return spending.holdLength }
    let greatest = spending.greatestHoldLength.milliseconds / 1_000
    guard let seconds = member.integer, (1...max(1, greatest)).contains(seconds) else {
      throw Problem(.malformedBody, "holdSeconds is a number from 1 to \(greatest).")
    }
    return .seconds(seconds)
  }
}

extension Call {
  /// The `Idempotency-Key` with what was asked, where, and for which app: anything else under the
  /// same key is another request.
  func requestKey(in scope: Scope) throws(Problem) -> RequestKey? {
    guard let key = try idempotencyKey() else { return nil }
    let asked = [request.method] + request.target.segments + [scope.bundleId]
    return RequestKey(
      caller: self.key?.name ?? "", key: key,
      requestSHA256: Fingerprint(
        hashing: Array(asked.map { Array($0.utf8) }.joined(separator: [0])) + [0] + request.body
      )
      .bytes)
  }
}
