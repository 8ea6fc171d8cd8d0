import HTTPListener
import AppStoreModel

/// A new configuration file, with every setting explained.
package struct ConfigurationTemplate: Sendable {
  package let bundleId: String
  package let appAppleId: Int64?
  package let root: String
  package let database: String

  package init(bundleId: String, appAppleId: Int64?, root: String, database: String) {
    self.bundleId = bundleId
    self.appAppleId = appAppleId
    self.root = root
    self.database = database
  }

  /// Production first, where it can be verified.
  package var environments: [String] {
    appAppleId == nil ? ["Sandbox"] : ["Production", "Sandbox"]
  }

  package var text: String {
    let limits = Limits()
    return """
      // Configuration of a Clawback server. JSON5: comments and trailing commas are welcome.
      {
        // The root of trust: "apple", or a file with the root of a simulated App Store (DER).
        root: \(quoted(root)),

        // Whose data is accepted. Production needs every app's Apple ID (App Store Connect, App Information).
        environments: [\(environments.map(quoted).joined(separator: ", "))],
        apps: [
          {
            bundleId: \(quoted(bundleId)),
            \(appAppleId.map { "appAppleId: \($0)," } ?? "// appAppleId: 1234567890,")
            // What products grant. Without any, a product grants an entitlement of its own id.
            products: [
              // { productId: "pro.monthly", entitlements: ["pro"] },
              // { productId: "coins.100", entitlements: [], creditsPerUnit: 100, creditUnit: "coins" },
              // { productId: "season", entitlements: ["pro"], type: "Non-Renewing Subscription", lengthDays: 90 },
            ],
            // The App Store Connect key to ask Apple with; without it what was missed is not found again.
            // appStoreConnect: { keyFile: "AuthKey_ABC123.p8", keyId: "ABC123", issuerId: "…" },
            // What to answer when Apple asks about a purchase that a customer wants money back for: none,
            // decline, grant or prorated; only ever with the customer's recorded consent.
            consumption: {
              answer: "none",
              // delivery: "DELIVERED", sampleContentProvided: false,
              // products: [{ productId: "coins.100", answer: "prorated", delivery: "DELIVERED" }],
            },
          },
        ],

        // Where Apple is asked: its own addresses, unless stated (such as those of a simulated App Store).
        // appStoreServerAPI: { production: "http://127.0.0.1:9000", sandbox: "http://127.0.0.1:9000/sandbox" },

        // How Apple is asked about what was missed; budgetPercent is our part of its rate limit.
        reconciliation: { scheduled: true, everyMinutes: 15, workers: 4, budgetPercent: 50 },

        // How long at least events can be read, and how often a silent stream of them shows that it lives.
        events: { keptDays: 365, heartbeatSeconds: 15 },

        // Events are also posted to endpoints that clawback webhooks create makes: public https addresses. One that
        // is plain http, this machine or in a private network has to stand here letter by letter. An endpoint at which
        // everything fails for so long is disabled; certificates: a PEM file of authorities of your own.
        webhooks: {
          // trustedURLs: ["http://127.0.0.1:9000/clawback"],
          // certificates: "authorities.pem",
          disableAfterHours: 120,
        },

        // Who else gets what Apple posts, byte for byte: such as the address that Apple posted to before.
        forwarding: [
          // { url: "https://old.example.com/apple" },
        ],

        // How doubt is treated, from a moment on: renewals awaited at expiry, customers of whom nothing is known, and
        // credits that were spent before their refund: debt, freeze or writeOff. Debt and freeze count for customers
        // whose token the backend registered, or whose purchase it linked or transferred; else it is a writeOff.
        policies: [{ renewalLeewayMinutes: 60, unknownCustomer: "deny", spentCredits: "debt" }],

        // The spend gate: how long a hold stays, what it says while the store is away (deny, or allow up to
        // degradedBudgetMilliunits), what sandbox purchases may cost in a day, and how long payouts wait.
        spending: {
          holdSeconds: 600, greatestHoldSeconds: 86400, openHoldsPerCustomer: 1000,
          whenStoreUnreachable: "deny",
          sandboxBudgetMilliunits: 100000, sandboxBudgetHours: 24, refundRiskDays: 90,
        },

        // Whether notifications signed over 30 days ago, or over 5 minutes ahead, take effect when posted.
        acceptArchives: false,

        // Serial numbers of signing certificates to refuse, in hexadecimal.
        deniedLeafSerials: [],

        // Where to listen. Other machines are let in only with TLS (certificate and key: PEM files),
        // or with allowPlainPublic where a proxy in front has it. localPort: 9090 would show /metrics on
        // 127.0.0.1 without a key.
        listen: { host: "127.0.0.1", port: 8080 /*, certificate: "cert.pem", key: "key.pem" */ },

        // The ledger: sqlite:PATH. Commands reach the running server over PATH.socket.
        database: \(quoted(database)),

        limits: {
          bodyBytes: \(limits.http.bodySize),
          connections: \(limits.http.connections),
          connectionsPerAddress: \(limits.http.connectionsPerAddress),
          deviceItems: \(limits.deviceItems),
          deviceRequestsPerMinute: \(limits.deviceRequestsPerMinute),
        },
      }

      """
  }

  private func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).json, as: UTF8.self)
  }
}
