import AppStoreModel
import CCrypto
import EntitlementLedger
import HTTPListener
import LedgerStorage

/// Forgets a customer.
struct ErasureRoutes {
  /// What the name begins with that stands in an erased customer's place.
  static let markPrefix = "erased:"

  let ledger: Ledger
  let clock: ServerClock

  var routes: [Route] {
    [
      Route.write("DELETE", "/v1/customers/{customer}", .administrators, .none) {
        [self] call, completion throws(Problem) in
        let customer = CustomerKey(scope: try call.scope(), id: try call.customer())
        let mark = try Self.mark()
        ledger.erase(customer, as: mark, by: call.key?.name, now: clock.now()) { result in
          completion(Self.answer(result))
        }
      }
    ].reading(.app)
  }

  /// Chance alone, so that nothing leads from it to whoever it was.
  private static func mark() throws(Problem) -> String {
    var chance = [UInt8](repeating: 0, count: 16)
    guard RAND_bytes(&chance, Int32(chance.count)) == 1 else { throw Problem(.internalError) }
    return markPrefix + chance.hexadecimal
  }

  private static func answer(
    _ result: Result<Erasure, StoreError>
  ) -> Result<HTTPResponse, Problem> {
    switch result {
    case .failure(let error): return .failure(Problem(error))
    case .success(let erasure):
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("changed", erasure.isChanged)
        writer.member("purchases", Int64(erasure.purchases))
        writer.member("facts", Int64(erasure.facts))
        writer.member("events", Int64(erasure.events))
      }
      return .success(.json(writer.bytes))
    }
  }
}
