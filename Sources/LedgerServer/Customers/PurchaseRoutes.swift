import HTTPListener
import AppStoreModel
import EntitlementLedger
import LedgerStorage

/// Whose a purchase is, in a backend's or an administrator's name.
struct PurchaseRoutes {
  private static let path = "/v1/customers/{customer}/purchases/{originalTransactionId}"

  let ledger: Ledger
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.write("PUT", Self.path, .spenders, .reason) { [self] call, completion throws(Problem) in
        let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
        ledger.link(
          call["originalTransactionId"], to: customer, note: try call.reason(),
          now: clock.now(), completion: answer(completion))
      },
      Route.write("DELETE", Self.path, .administrators, .reason) {
        [self] call, completion throws(Problem) in
        let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
        ledger.unlink(
          call["originalTransactionId"], from: customer, note: try call.requiredReason(),
          now: clock.now(), completion: answer(completion))
      },
      Route.write("POST", Self.path + "/transfer", .administrators, .reason) {
        [self] call, completion throws(Problem) in
        let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
        let reason = try call.requiredReason()
        ledger.transfer(
          call["originalTransactionId"], to: customer, note: reason, now: clock.now(),
          completion: answer(completion))
      },
    ].reading(.app, .reason)
  }

  private static let notLinked =
    "Only a link can be taken back. A purchase that is the customer's by a transfer or by its account "
    + "token goes to another customer by a transfer."

  private func answer(
    _ completion: @escaping Route.Completion
  ) -> Ledger.Completion<OwnershipOutcome> {
    { result in
      switch result {
      case .failure(let error): completion(.failure(Problem(error)))
      case .success(.done(let isChanged)):
        var writer = JSONWriter()
        writer.object { $0.member("changed", isChanged) }
        completion(.success(.json(writer.bytes)))
      case .success(.refused(let refusal)):
        completion(.failure(Problem(.ownedByAnother, "Refused: \(refusal).")))
      case .success(.unknownPurchase): completion(.failure(Problem(.unknownPurchase)))
      case .success(.notLinked): completion(.failure(Problem(.notLinked, Self.notLinked)))
      }
    }
  }
}
