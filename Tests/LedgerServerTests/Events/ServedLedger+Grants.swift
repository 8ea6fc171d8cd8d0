import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import LedgerStorage
import Testing

@testable import LedgerServer

extension ServedLedger {
  func scope(_ environment: AppStoreEnvironment = .sandbox) -> Scope {
    Scope(
      realm: service.ledger.realm, bundleId: stage.store.app.bundleId, environment: environment)
  }

  /// Gives a customer access by hand, or takes it back: each is one event.
  func tell(
    _ numbers: Range<Int>, of name: String = "anna", _ environment: AppStoreEnvironment = .sandbox
  ) throws {
    let customer = CustomerKey(
      scope: scope(environment), id: try #require(CustomerID(name)))
    let ledger = service.ledger
    for number in numbers {
      let id = "\(name)-\(environment.rawValue)-\(number / 2)"
      let statement = GrantStatement(at: moment.get())
      if number % 2 == 0 {
        let grant = ManualGrant(
          id: id, customer: customer.id, entitlement: "pro", from: moment.get(), until: nil)
        _ = try ledger.wait {
          ledger.grant(grant, in: customer.scope, statement, completion: $0)
        }
      } else {
        _ = try ledger.wait {
          ledger.revokeGrant(id, of: customer, statement, completion: $0)
        }
      }
    }
  }
}
