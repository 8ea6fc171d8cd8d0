import AppStoreModel
import EntitlementLedger
import Testing

struct CatalogTests {
  private let catalog = Catalog([
    CatalogEntry(productId: "pro", effectiveFrom: .day(10), entitlements: ["pro", "sync"]),
    CatalogEntry(productId: "pro", effectiveFrom: .day(0), entitlements: ["pro"]),
  ])

  @Test func `the entry in force at the purchase counts`() {
    #expect(catalog.entitlements(of: "pro", boughtAt: .day(9)) == ["pro"])
    #expect(catalog.entitlements(of: "pro", boughtAt: .day(10)) == ["pro", "sync"])
    #expect(catalog.entitlements(of: "pro", boughtAt: .day(-1)) == nil)
    #expect(catalog.entitlements(of: "hat", boughtAt: .day(10)) == nil)
  }

  @Test func `without a catalog a product grants an entitlement of its own id`() {
    #expect(Catalog.empty.isEmpty)
    #expect(Catalog.empty.entitlements(of: "hat", boughtAt: .day(0)) == ["hat"])
    #expect(Catalog.empty.entry(for: "hat", boughtAt: .day(0)) == nil)
  }

  @Test func `the policy in force at a moment counts, an hour of leeway without one`() {
    let policy = Policy([
      PolicyEntry(effectiveFrom: .day(5), renewalLeeway: .minutes(5), unknownCustomer: .allow)
    ])
    #expect(policy.entry(at: .day(5)).unknownCustomer == .allow)
    #expect(policy.entry(at: .day(4)) == PolicyEntry())
    #expect(Policy.standard.entry(at: .day(4)).renewalLeeway == .minutes(60))
  }
}
