import AppStoreVerification
import JSON5

extension Configuration {
  /// The App Store Connect key that one app's questions to Apple are signed with.
  ///
  /// Source: Users and Access, Integrations, In-App Purchase in App Store Connect.
  public struct AppStoreConnectKey: Hashable, Sendable {
    /// A PKCS #8 file as Apple gives it once, `AuthKey_….p8`.
    public var keyPath: String
    public var keyId: String
    public var issuerId: String

    public init(keyPath: String, keyId: String, issuerId: String) {
      self.keyPath = keyPath
      self.keyId = keyId
      self.issuerId = issuerId
    }
  }

  /// Where Apple's server API is asked; `nil` is Apple's own address.
  public struct AppStoreServerAPI: Hashable, Sendable {
    /// Shape: a URL without a slash at its end, such as that of a simulated App Store.
    public var productionURL: String?
    public var sandboxURL: String?

    public init(productionURL: String? = nil, sandboxURL: String? = nil) {
      self.productionURL = productionURL
      self.sandboxURL = sandboxURL
    }

    /// The address that is asked in place of Apple's.
    func url(_ environment: ServerEnvironment) -> String? {
      environment == .production ? productionURL : sandboxURL
    }
  }

  /// How Apple is asked about what we may have missed.
  public struct Reconciliation: Hashable, Sendable {
    /// Whether the server does it on its own.
    public var isScheduled = true
    /// How many questions are under way at once, for each app and environment.
    public var workers = 4
    /// How often Apple's notification history is read.
    public var everyMinutes: Int64 = 15
    /// The part of Apple's rate limit that it may use; the rest is left to other programs.
    ///
    /// Unit: percent. Range: `1...100`.
    public var budgetPercent: Int64 = 50

    public init() {}
  }
}

extension Configuration.AppStoreConnectKey {
  init(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: ["keyFile", "keyId", "issuerId"])
    self.init(
      keyPath: try file.required("keyFile", file.string("keyFile")),
      keyId: try file.required("keyId", file.string("keyId")),
      issuerId: try file.required("issuerId", file.string("issuerId")))
  }
}

extension Configuration.AppStoreServerAPI {
  init(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: ["production", "sandbox"])
    self.init(
      productionURL: try Self.url("production", file), sandboxURL: try Self.url("sandbox", file))
  }

  private static func url(_ name: String, _ file: JSON5Object) throws(JSON5Error) -> String? {
    guard let text = try file.string(name) else { return nil }
    guard text.hasPrefix("https://") || text.hasPrefix("http://"), !text.hasSuffix("/") else {
      throw file.refusal(name, "expected a URL without a slash at its end, found \"\(text)\"")
    }
    return text
  }
}

extension Configuration.Reconciliation {
  init(_ file: JSON5Object) throws(JSON5Error) {
    try file.allow(only: ["scheduled", "workers", "everyMinutes", "budgetPercent"])
    isScheduled = try file.bool("scheduled") ?? isScheduled
    workers = try file.integer("workers", in: 1...64).map { Int($0) } ?? workers
    everyMinutes = try file.integer("everyMinutes", in: 1...1_440) ?? everyMinutes
    budgetPercent = try file.integer("budgetPercent", in: 1...100) ?? budgetPercent
  }
}
