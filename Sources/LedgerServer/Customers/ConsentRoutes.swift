import AppStoreModel
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// What a backend states about its customers: their consent and their tokens.
struct ConsentRoutes {
  private static let consentPath = "/v1/customers/{customer}/consent"

  let ledger: Ledger
  let readers: ReaderPool
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.get(Self.consentPath, .readers) { [self] call throws(Problem) in
        let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
        let consent = try readers.read { (reader) throws(StoreError) in
          try reader.consent(of: customer)
        }
        return Self.response(customer, consent)
      },
      Route.write("PUT", Self.consentPath, .spenders, .members("consented", "note")) {
        [self] call, completion throws(Problem) in
        let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
        ledger.record(try consent(call), of: customer) { completion(Self.answer($0)) }
      },
      Route.write(
        "PUT", "/v1/customers/{customer}/token", .spenders, .members("appAccountToken", "note")
      ) {
        [self] call, completion throws(Problem) in
        let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
        let json = try call.json()
        guard let token = json["appAccountToken"]?.string else {
          throw Problem(.malformedBody, "appAccountToken is missing.")
        }
        ledger.register(
          token: token, to: customer, note: try Self.note(json), now: clock.now()
        ) { completion(Self.answer($0)) }
      },
    ].reading(.app)
  }

  /// Shape: `{"consented":true,"note":"…"}`.
  private func consent(_ call: Call) throws(Problem) -> Consent {
    let json = try call.json()
    guard case .bool(let isGiven)? = json["consented"] else {
      throw Problem(.malformedBody, "consented is true, or false once it is withdrawn.")
    }
    guard let key = call.key else { throw Problem(.unauthenticated) }
    return Consent(
      isGiven: isGiven, recordedBy: key.name, note: try Self.note(json), recordedAt: clock.now())
  }

  private static func note(_ json: JSONValue) throws(Problem) -> String? {
    guard let member = json["note"] else { return nil }
    guard let note = member.string, StatedText.isNote(note) else {
      throw Problem(
        .malformedBody, "note is a text of 1 to 1000 bytes without control characters.")
    }
    return note
  }

  private static func response(_ customer: CustomerKey, _ consent: Consent?) -> HTTPResponse {
    var writer = JSONWriter()
    writer.object { writer in
      writer.customer(customer)
      writer.member("consented", consent?.isGiven ?? false)
      writer.member("recordedBy", consent?.recordedBy)
      writer.member("note", consent?.note)
      writer.member("recordedAtMs", consent?.recordedAt.millisecondsSince1970)
    }
    return .json(writer.bytes)
  }

  private static func changed(_ isChanged: Bool) -> Result<HTTPResponse, Problem> {
    var writer = JSONWriter()
    writer.object { $0.member("changed", isChanged) }
    return .success(.json(writer.bytes))
  }

  private static func answer(_ result: Result<Bool, StoreError>) -> Result<HTTPResponse, Problem> {
    switch result {
    case .failure(let error): .failure(Problem(error))
    case .success(let isChanged): changed(isChanged)
    }
  }

  private static func answer(
    _ result: Result<TokenOutcome, StoreError>
  ) -> Result<HTTPResponse, Problem> {
    switch result {
    case .failure(let error): .failure(Problem(error))
    case .success(.done(let isChanged)): changed(isChanged)
    case .success(.registeredElsewhere):
      .failure(Problem(.ownedByAnother, "Another customer registered the token."))
    case .success(.notAToken):
      .failure(Problem(.malformedBody, "appAccountToken is a UUID, and not one of only zeroes."))
    }
  }
}
