import AppStoreModel
import AppStoreSimulator
import ContractSupport
import EntitlementLedger
import Testing

@testable import LedgerServer

/// A product that is sold and that the catalog does not list.
struct UnmappedProductTests {
  @Test func `it is told by readiness and metrics until the catalog says what it grants`() throws {
    let served = try ServedLedger { configuration in
      configuration.apps[0].catalog = [
        CatalogEntry(productId: SimulatedProduct.pro.id, entitlements: ["pro"])
      ]
      configuration.environments = [.sandbox]
    }
    defer { served.stop() }
    _ = try served.stage.buy(.themes, served.stage.store.enroll("u"))
    #expect(try Self.told(served) == ([], 0))
    _ = try served.deliver()
    #expect(try Self.told(served) == ([SimulatedProduct.themes.id], 1))
    let path = "/v1/apps/com.example.app/products/\(SimulatedProduct.themes.id)"
    let put = try served.call("PUT \(path)", .admin, body: #"{"entries":[{"entitlements":["a"]}]}"#)
    #expect(put.status == 200)
    #expect(try Self.told(served) == ([], 0))
    _ = try served.call("DELETE \(path)", .admin)
    #expect(try Self.told(served) == ([SimulatedProduct.themes.id], 1))
  }

  /// The products that readiness names, and what the metric counts.
  private static func told(_ served: ServedLedger) throws -> ([String], Int) {
    let ready = try served.call("GET /readyz").body
    #expect(try JSONSchema("readiness").findings(in: ready) == [])
    let notes = try JSONValue(json: Array(ready.utf8))["notes"]?.array ?? []
    let products = notes.filter { $0["code"]?.string == "unmappedProduct" }
      .compactMap { $0["productId"]?.string }
    let metrics = try served.call("GET /metrics", .read).body
    let line = metrics.split(separator: "\n")
      .first { $0.hasPrefix("clawback_unmapped_products ") }
    return (products, line.flatMap { Int($0.split(separator: " ")[1]) } ?? -1)
  }
}
