import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// What an operator does for a customer while a server has the ledger.
struct CustomerCommandTests {
  private let store: BusyStore
  private let site: ServedSite
  private let scope: [String]

  init() throws {
    store = try BusyStore(customers: 1)
    site = try store.site()
    scope = ["--environment", store.app.environment.rawValue, "--config", site.configuration]
  }

  private func run(_ words: String...) throws -> (code: Int32, output: String, diagnostics: String)
  {
    try ServedProcess.run(words + scope)
  }

  @Test(.timeLimit(.minutes(5)))
  func `what is given and forgotten by commands counts for the next request`() throws {
    let served = try ServedProcess(site)
    let key = try site.key(
      "backend", scope: "read", app: store.app.bundleId,
      environment: store.app.environment.rawValue)
    let given = try run("grants", "give", "user-1", "pro", "--reason", "goodwill")
    #expect(given.code == 0 && given.output.hasPrefix("grant_"), "\(given.diagnostics)")
    let path = "/v1/customers/user-1/entitlements/pro"
    #expect(try served.get(path, key: key).contains(#""verdict":"granted""#))
    let listed = try served.get("/v1/customers/user-1/grants", key: key)
    #expect(listed.contains(#""grantedBy":"command line","reason":"goodwill""#))
    let forgotten = try run("customers", "forget", "user-1")
    #expect(forgotten.code == 0)
    #expect(forgotten.diagnostics.hasPrefix("Forgot user-1 in com.example.app "))
    #expect(try served.get(path, key: key).contains(#""verdict":"unknown""#))
    let again = try run("customers", "forget", "user-1")
    #expect(again.code == 0 && again.diagnostics.hasPrefix("Nobody is known as user-1"))
    #expect(served.stop() == 0)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a product that is put while a server runs counts at once, and is listed until then`() throws
  {
    try site.rewrite(
      "",
      apps: [
        .init(
          bundleId: store.app.bundleId, appAppleId: store.app.appAppleId,
          products: "{ productId: 'com.example.app.other', entitlements: ['other'] }")
      ])
    let served = try ServedProcess(site)
    for text in store.notifications { #expect(try served.post(text) == 200) }
    let product = "com.example.app.themes"
    let alerts = try ServedProcess.run(["alerts", "list", "--config", site.configuration])
    #expect(alerts.output.contains("unmappedProduct  productId  \(product)"))
    #expect(alerts.diagnostics.contains("'clawback catalog put PRODUCT --entitlement NAME'"))
    #expect(site.logged.contains("'clawback alerts list' says the next step."))
    #expect(try served.get("/readyz", key: "").contains(#""productId":"\#(product)""#))
    let put = try ServedProcess.run([
      "catalog", "put", product, "--entitlement", "look", "--config", site.configuration,
    ])
    #expect(put.code == 0, "\(put.diagnostics)")
    #expect(try !served.get("/readyz", key: "").contains(#""productId":"\#(product)""#))
    #expect(served.stop() == 0)
  }
}
