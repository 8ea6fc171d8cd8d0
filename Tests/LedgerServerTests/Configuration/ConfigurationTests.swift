import HTTPListener
import AppStoreModel
import EntitlementLedger
import JSON5
import Testing

@testable import LedgerServer

struct ConfigurationTests {
  private func read(_ text: String) throws(JSON5Error) -> Configuration {
    try Configuration(json5: Array(text.utf8))
  }

  @Test func `a short file leaves everything else at its standard`() throws {
    let read = try read(
      "{ environments: ['Sandbox'], apps: [{ bundleId: 'com.example.app' }] }")
    #expect(read.root == .apple)
    #expect(read.apps == [Configuration.App(bundleId: "com.example.app")])
    #expect(read.environments == [.sandbox])
    #expect(!read.acceptArchives)
    #expect(read.listener == Configuration.Listener())
    #expect(read.listener.host == "127.0.0.1")
    #expect(read.database == "sqlite:clawback.db")
    #expect(read.limits.http.bodySize == 1 << 20)
  }

  @Test func `every setting can be stated`() throws {
    let read = try read(
      """
      {
        root: "other.der", environments: ["Production", "Sandbox"], acceptArchives: true,
        deniedLeafSerials: ["0a:0b"], database: "sqlite::memory:", socket: "/run/x.sock",
        listen: { host: "::1", port: 0, certificate: "c.pem", key: "k.pem", allowPlainPublic: true,
          threads: 3 },
        policies: [{ renewalLeewayMinutes: 5, unknownCustomer: "allow", effectiveFromMs: 7 }],
        limits: { bodyBytes: 2048, bodyBytesInFlight: 4096,
          bodyBytesPerAddress: 4000, connections: 5,
          connectionsPerAddress: 6, headerMs: 1, bodyMs: 2, writeMs: 3, idleMs: 4, shutdownMs: 5,
          deviceItems: 7, deviceRequestsPerMinute: 8, unknownChainsPerMinute: 9,
          requestsWaiting: 10 },
        appStoreServerAPI: { production: "http://127.0.0.1:1", sandbox: "https://x/sandbox" },
        reconciliation: { scheduled: false, workers: 2, everyMinutes: 5, budgetPercent: 25 },
        apps: [{ bundleId: "a", appAppleId: 1,
          appStoreConnect: { keyFile: "k.p8", keyId: "K", issuerId: "I" }, products: [
          { productId: "p", entitlements: ["pro"], type: "Non-Renewing Subscription",
            lengthDays: 30, creditsPerUnit: 100, familyShareable: true, effectiveFromMs: 9 }] }],
      }
      """)
    #expect(read.root == .file(path: "other.der"))
    #expect(read.environments == [.production, .sandbox])
    #expect(read.acceptArchives)
    #expect(read.deniedLeafSerials == ["0a:0b"])
    #expect(read.socketPath == "/run/x.sock")
    #expect(read.listener.port == 0)
    #expect(read.listener.threads == 3)
    #expect(read.listener.allowsPlainPublic)
    #expect(
      read.policies == [
        PolicyEntry(
          effectiveFrom: Timestamp(millisecondsSince1970: 7), renewalLeeway: .minutes(5),
          unknownCustomer: .allow)
      ])
    #expect(
      read.app("a")?.catalog == [
        CatalogEntry(
          productId: "p", effectiveFrom: Timestamp(millisecondsSince1970: 9),
          entitlements: ["pro"], typeHint: .nonRenewingSubscription, length: .days(30),
          creditsPerUnit: 100, isFamilyShareable: true)
      ])
    #expect(read.limits.http.headerTime == TimeSpan(milliseconds: 1))
    #expect(read.limits.requestsWaiting == 10)
    #expect(read.limits.http.connectionsPerAddress == 6)
    #expect(read.limits.http.bodiesInFlightPerAddress == 4_000)
    #expect(
      read.app("a")?.appStoreConnect
        == Configuration.AppStoreConnectKey(keyPath: "k.p8", keyId: "K", issuerId: "I"))
    #expect(
      read.appStoreServerAPI
        == Configuration.AppStoreServerAPI(
          productionURL: "http://127.0.0.1:1", sandboxURL: "https://x/sandbox"))
    #expect(!read.reconciliation.isScheduled)
    #expect(read.reconciliation.workers == 2)
    #expect(read.reconciliation.everyMinutes == 5)
    #expect(read.reconciliation.budgetPercent == 25)
  }

  @Test(arguments: [
    ("{}", "line 1, column 1: environments: is missing"),
    ("{ environments: [] }", "line 1, column 17: environments: names no environment"),
    (
      "{ environments: ['Xcode'] }",
      "line 1, column 17: environments: expected Production or Sandbox, found \"Xcode\""
    ),
    ("{ environments: ['Sandbox'], apps: [] }", "line 1, column 36: apps: names no app"),
    (
      "{ environments: ['Sandbox'],\n apps: [{ bundleID: 'a' }] }",
      "line 2, column 11: apps[0].bundleID: no such setting; is bundleId meant?"
    ),
    (
      "{ environments: ['Sandbox'], apps: [{ bundleId: 'a' }, { bundleId: 'a' }] }",
      "line 1, column 68: apps[1].bundleId: a is named twice"
    ),
    (
      "{ environments: ['Sandbox'], apps: [{ bundleId: 'a' }], listen: { certificate: 'c' } }",
      "line 1, column 80: listen.certificate: certificate and key belong together"
    ),
    (
      "{ environments: ['Sandbox'], apps: [{ bundleId: 'a' }], limits: { bodyBytes: 1 } }",
      "line 1, column 78: limits.bodyBytes: expected 1024 to 16777216, found 1"
    ),
    (
      "{ environments: ['Sandbox'], apps: [{ bundleId: 'a' }], policies: [{ unknownCustomer: 'x' }] }",
      "line 1, column 87: policies[0].unknownCustomer: expected allow or deny, found \"x\""
    ),
    (
      "{ environments: ['Sandbox'], apps: [{ bundleId: 'a', appStoreConnect: { keyId: 'K' } }] }",
      "line 1, column 71: apps[0].appStoreConnect.keyFile: is missing"
    ),
    (
      "{ environments: ['Sandbox'], apps: [{ bundleId: 'a' }], appStoreServerAPI: { sandbox: 'x/' } }",
      "line 1, column 87: appStoreServerAPI.sandbox: expected a URL without a slash at its end, found \"x/\""
    ),
    (
      "{ environments: ['Sandbox'], apps: [{ bundleId: '' }] }",
      "line 1, column 49: apps[0].bundleId: is empty"
    ),
  ])
  func `what cannot be used is named with its place`(text: String, message: String) {
    let error = #expect(throws: JSON5Error.self) { try read(text) }
    #expect(error?.description == message)
  }

  @Test func `Production without the App Store id is refused`() {
    let error = #expect(throws: JSON5Error.self) {
      try read("{ environments: ['Production'], apps: [{ bundleId: 'a' }] }")
    }
    #expect(error?.path == "apps[0].appAppleId")
    #expect(error?.problem.contains("Production cannot be verified without it") == true)
  }
}
