import AppStoreModel
import CCrypto
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// Access that is given by hand: goodwill and support.
struct GrantRoutes {
  private static let path = "/v1/customers/{customer}/grants"

  let ledger: Ledger
  let readers: ReaderPool
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.get(Self.path, .readers) { [self] call throws(Problem) in try list(call) },
      Route.write(
        "POST", Self.path, .administrators, .members("entitlement", "reason", "fromMs", "untilMs")
      ) {
        [self] call, completion throws(Problem) in try give(call, completion)
      }.reading(.reason),
      Route.write("DELETE", Self.path + "/{grant}", .administrators, .reason) {
        [self] call, completion throws(Problem) in try take(call, completion)
      }.reading(.reason),
    ].reading(.app)
  }

  private func list(_ call: Call) throws(Problem) -> HTTPResponse {
    let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
    let grants = try readers.read { (reader) throws(StoreError) in
      try reader.grants(of: customer)
    }
    let now = clock.now()
    var writer = JSONWriter()
    writer.object { writer in
      writer.customer(customer)
      writer.name("grants")
      writer.array { writer in for grant in grants { writer.grant(grant, at: now) } }
    }
    return .json(writer.bytes)
  }

  private func give(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
    let now = clock.now()
    let (grant, reason) = try Self.grant(call, customer, now)
    let statement = GrantStatement(by: call.key?.name, reason: reason, at: now)
    ledger.grant(grant, in: customer.scope, statement) { result in
      completion(Self.answer(result, customer, at: now))
    }
  }

  private func take(_ call: Call, _ completion: @escaping Route.Completion) throws(Problem) {
    let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
    let statement = GrantStatement(
      by: call.key?.name, reason: try call.requiredReason(), at: clock.now())
    ledger.revokeGrant(call["grant"], of: customer, statement) { result in
      switch result {
      case .failure(let error): completion(.failure(Problem(error)))
      case .success(false): completion(.failure(Problem(.unknownGrant)))
      case .success(true): completion(.success(.json(Array(#"{"changed":true}"#.utf8))))
      }
    }
  }

  /// Shape: `{"entitlement":"pro","reason":"…","fromMs":…,"untilMs":…}`.
  private static func grant(
    _ call: Call, _ customer: CustomerKey, _ now: Timestamp
  ) throws(Problem) -> (ManualGrant, reason: String) {
    let json = try call.json()
    guard let entitlement = json["entitlement"]?.string, StatedText.isName(entitlement) else {
      throw Problem(
        .malformedBody, "entitlement is a text of 1 to 255 bytes without control characters.")
    }
    let reason = try call.requiredReason()
    let from = try moment(json, "fromMs") ?? now
    let until = try moment(json, "untilMs")
    guard until.map({ $0 > from && $0 > now }) ?? true else {
      throw Problem(.malformedBody, "untilMs is a moment to come, after fromMs.")
    }
    let id = try id(call, customer)
    return (
      ManualGrant(
        id: id, customer: customer.id, entitlement: entitlement, from: from, until: until), reason
    )
  }

  private static func moment(_ json: JSONValue, _ name: String) throws(Problem) -> Timestamp? {
    guard let member = json[name] else { return nil }
    guard let number = member.integer, (0...253_402_300_799_999).contains(number) else {
      throw Problem(.malformedBody, "\(name) is a moment in milliseconds since 1970.")
    }
    return Timestamp(millisecondsSince1970: number)
  }

  /// The same for a request that is sent again with its `Idempotency-Key`, else a new one.
  private static func id(_ call: Call, _ customer: CustomerKey) throws(Problem) -> String {
    guard let key = try call.idempotencyKey() else {
      var chance = [UInt8](repeating: 0, count: 16)
      guard RAND_bytes(&chance, Int32(chance.count)) == 1 else { throw Problem(.internalError) }
      return "grant_" + chance.hexadecimal
    }
    let parts = [call.key?.name ?? "", customer.scope.bundleId, key]
    let named = parts.map { Array($0.utf8) }.joined(separator: [0])
    return "grant_" + Fingerprint(hashing: Array(named)).hexadecimal.prefix(32)
  }

  private static func answer(
    _ result: Result<GrantOutcome, StoreError>, _ customer: CustomerKey, at now: Timestamp
  ) -> Result<HTTPResponse, Problem> {
    switch result {
    case .failure(let error): .failure(Problem(error))
    case .success(.conflict): .failure(Problem(.idempotencyConflict))
    case .success(.granted(let grant)), .success(.repeated(let grant)):
      .success(response(grant, customer, at: now))
    }
  }

  private static func response(
    _ grant: StatedGrant, _ customer: CustomerKey, at now: Timestamp
  ) -> HTTPResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.customer(customer)
      writer.name("grant")
      writer.grant(grant, at: now)
    }
    return .json(writer.bytes)
  }
}

extension JSONWriter {
  fileprivate mutating func grant(_ stated: StatedGrant, at now: Timestamp) {
    object { writer in
      writer.member("id", stated.grant.id)
      writer.member("entitlement", stated.grant.entitlement)
      writer.member("isActive", stated.isActive(at: now))
      writer.member("fromMs", stated.grant.from.millisecondsSince1970)
      writer.member("untilMs", stated.grant.until?.millisecondsSince1970)
      writer.member("grantedAtMs", stated.statedAt.millisecondsSince1970)
      writer.member("grantedBy", stated.grantedBy)
      writer.member("reason", stated.reason)
      writer.member("revokedAtMs", stated.grant.revokedAt?.millisecondsSince1970)
      writer.member("revokedBy", stated.revokedBy)
      writer.member("revocationReason", stated.revocationReason)
    }
  }
}
