public import AppStoreModel
public import EntitlementLedger

/// What an operator states: whom to trust, for which apps, and where.
///
/// Shape: read from a JSON5 file; `clawback init` writes one with every setting explained.
public struct Configuration: Sendable {
  /// The root of trust, and with it the realm of the database.
  public enum Root: Hashable, Sendable {
    case apple
    /// A certificate in DER form.
    case file(path: String)
    /// The certificate itself, for a server inside another program.
    case certificate([UInt8])
  }

  /// An app whose data is accepted.
  public struct App: Hashable, Sendable {
    public var bundleId: String
    /// Needed as soon as Production is accepted.
    public var appAppleId: Int64?
    public var catalog: [CatalogEntry]
    /// Without it nothing can be asked of Apple about this app.
    public var appStoreConnect: AppStoreConnectKey?
    /// How Apple's consumption requests are answered; not at all unless stated.
    public var consumption = ConsumptionPolicies()

    public init(
      bundleId: String, appAppleId: Int64? = nil, catalog: [CatalogEntry] = [],
      appStoreConnect: AppStoreConnectKey? = nil
    ) {
      self.bundleId = bundleId
      self.appAppleId = appAppleId
      self.catalog = catalog
      self.appStoreConnect = appStoreConnect
    }
  }

  public var root = Root.apple
  public var apps: [App]
  /// Production, Sandbox or both.
  public var environments: Set<AppStoreEnvironment>
  public var policies: [PolicyEntry] = []
  /// Whether what was signed long ago or ahead of the clock takes effect when it is posted.
  public var acceptArchives = false
  /// Serial numbers of signing certificates that are refused, in hexadecimal.
  public var deniedLeafSerials: [String] = []
  public var listener = Listener()
  /// Shape: `sqlite:PATH` or `sqlite::memory:`.
  public var database = "sqlite:clawback.db"
  /// Where operations commands reach the running server; beside the database unless stated.
  public var socketPath: String?
  public var limits = Limits()
  public var events = Events()
  public var appStoreServerAPI = AppStoreServerAPI()
  public var reconciliation = Reconciliation()
  public var spending = Spending()
  public var webhooks = Webhooks()
  public var forwarding: [ForwardingTarget] = []

  public init(apps: [App], environments: Set<AppStoreEnvironment>) {
    self.apps = apps
    self.environments = environments
  }
}

extension Configuration {
  /// Where HTTP is served, and how.
  public struct Listener: Hashable, Sendable {
    public var host = "127.0.0.1"
    /// 0 lets the system choose.
    public var port: UInt16 = 8080
    /// A port of this machine alone, where `/metrics` and `/openapi.json` need no key; `nil` for none.
    public var localPort: UInt16?
    /// The two PEM files of TLS; both or none.
    public var certificatePath: String?
    public var keyPath: String?
    /// Whether other machines may connect without TLS, because a proxy in front has it.
    public var allowsPlainPublic = false
    /// How many threads serve; `nil` takes one for each processor, and at most four.
    public var threads: Int?

    public init() {}
  }

  func app(_ bundleId: String) -> App? {
    apps.first { $0.bundleId == bundleId }
  }
}
