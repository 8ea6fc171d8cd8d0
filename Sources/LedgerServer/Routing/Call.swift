import HTTPListener
import AppStoreModel
import EntitlementLedger

/// One authorized request at its route.
struct Call: Sendable {
  let request: HTTPRequest
  let parameters: [String: String]
  /// `nil` on open routes.
  let key: APIKey?
  let realm: Realm

  /// A parameter of the route's own pattern.
  subscript(parameter: String) -> String {
    guard let value = parameters[parameter] else {
      preconditionFailure("The route's pattern has no parameter \(parameter).")
    }
    return value
  }

  /// The body as JSON.
  func json() throws(Problem) -> JSONValue {
    do throws(MalformedPayload) {
      return try JSONValue(json: request.body)
    } catch {
      throw Problem(.malformedBody, "The body is not JSON.")
    }
  }

  /// Refuses a body with members that the route does not know.
  func checkBody(_ shape: BodyShape) throws(Problem) {
    guard shape != .any, !request.body.isEmpty else { return }
    try shape.check(try json())
  }

  /// The app and environment asked about: the key's only app, or the one that `?app=` names.
  func scope() throws(Problem) -> Scope {
    guard let key else { preconditionFailure("An open route has no scope.") }
    return Scope(
      realm: realm, bundleId: try bundleId(of: key), environment: key.environment)
  }

  private func bundleId(of key: APIKey) throws(Problem) -> String {
    if let stated = request.target["app"] {
      guard key.bundleIds.contains(stated) else {
        throw Problem(
          .appForbidden,
          "A key reaches the apps that it was made for; for one that was added since make a key anew: "
            + "'clawback keys create'.")
      }
      return stated
    }
    guard let only = key.bundleIds.first, key.bundleIds.count == 1 else {
      throw Problem(.badParameter, "The key reaches several apps: name one with ?app=.")
    }
    return only
  }

  func customer() throws(Problem) -> CustomerID {
    guard StatedText.isCustomer(self["customer"]), let customer = CustomerID(self["customer"])
    else {
      throw Problem(
        .badParameter, "A customer has a name of 1 to 255 bytes without control characters.")
    }
    return customer
  }

  func entitlement() throws(Problem) -> String {
    guard StatedText.isName(self["entitlement"]) else {
      throw Problem(
        .badParameter, "An entitlement has a name of 1 to 255 bytes without control characters.")
    }
    return self["entitlement"]
  }

  /// The `reason` of the body or else of the query.
  func reason() throws(Problem) -> String? {
    var stated = request.target["reason"]
    if !request.body.isEmpty, let member = try json()["reason"] {
      guard let text = member.string else { throw Problem(.malformedBody, Self.reasonForm) }
      stated = text
    }
    guard let stated else { return nil }
    guard StatedText.isNote(stated) else { throw Problem(.malformedBody, Self.reasonForm) }
    return stated
  }

  func requiredReason() throws(Problem) -> String {
    guard let reason = try reason() else { throw Problem(.malformedBody, Self.reasonForm) }
    return reason
  }

  private static let reasonForm =
    "reason says why, in 1 to 1000 bytes without control characters."

  /// The text by which a client marks a request that it may send again.
  func idempotencyKey() throws(Problem) -> String? {
    guard let key = request.headers["idempotency-key"] else { return nil }
    guard request.headers.count(of: "idempotency-key") == 1, StatedText.isName(key) else {
      throw Problem(
        .badParameter, "Idempotency-Key is one text of 1 to 255 bytes without control characters.")
    }
    return key
  }

  /// The moment that `?at=` asks about, in milliseconds since 1970.
  func moment() throws(Problem) -> Timestamp? {
    guard let text = request.target["at"] else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw Problem(.badParameter, "at is a moment in milliseconds since 1970.")
    }
    return Timestamp(millisecondsSince1970: number)
  }

  /// A whole number of a range that the query states.
  func number(
    _ name: String, in range: ClosedRange<Int64>, default standing: Int64
  ) throws(Problem) -> Int64 {
    guard let text = request.target[name] else { return standing }
    guard let number = Int64(text), range.contains(number) else {
      throw Problem(
        .badParameter, "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}
