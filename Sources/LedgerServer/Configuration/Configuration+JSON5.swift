import AppStoreModel
import EntitlementLedger
public import JSON5

extension Configuration {
  /// Reads a configuration file.
  ///
  /// - Throws: ``JSON5Error`` with line, column and path of the first thing that cannot be used.
  public init(json5 text: [UInt8]) throws(JSON5Error) {
    let file = try JSON5Object(JSON5Value(text: text))
    try file.allow(only: [
      "root", "apps", "environments", "policies", "acceptArchives", "deniedLeafSerials", "listen",
      "database", "socket", "limits", "appStoreServerAPI", "reconciliation",
      "events", "spending", "webhooks", "forwarding",
    ])
    let environments = try Configuration.environments(file)
    var apps: [App] = []
    for app in try file.required("apps", file.objects("apps")) {
      apps.append(try Configuration.app(app, environments, others: apps))
    }
    guard !apps.isEmpty else { throw file.refusal("apps", "names no app") }
    self.init(apps: apps, environments: environments)
    try readRest(file)
  }

  private mutating func readRest(_ file: JSON5Object) throws(JSON5Error) {
    if let root = try file.string("root") {
      self.root = root == "apple" ? .apple : .file(path: root)
    }
    for policy in try file.objects("policies") ?? [] {
      policies.append(try Configuration.policy(policy))
    }
    acceptArchives = try file.bool("acceptArchives") ?? acceptArchives
    deniedLeafSerials = try file.strings("deniedLeafSerials") ?? []
    if let listen = try file.object("listen") { listener = try Listener(listen) }
    database = try file.string("database") ?? database
    socketPath = try file.string("socket")
    if let limits = try file.object("limits") { try self.limits.read(limits) }
    if let api = try file.object("appStoreServerAPI") {
      appStoreServerAPI = try AppStoreServerAPI(api)
    }
    if let section = try file.object("events") { events = try Events(section) }
    if let section = try file.object("reconciliation") {
      reconciliation = try Reconciliation(section)
    }
    if let section = try file.object("spending") { spending = try Spending(section) }
    if let section = try file.object("webhooks") { webhooks = try Webhooks(section) }
    for target in try file.objects("forwarding") ?? [] {
      forwarding.append(try ForwardingTarget(target))
    }
  }

  private static func environments(
    _ file: JSON5Object
  ) throws(JSON5Error) -> Set<AppStoreEnvironment> {
    let words = try file.required("environments", file.strings("environments"))
    guard !words.isEmpty else { throw file.refusal("environments", "names no environment") }
    for word in words where word != "Production" && word != "Sandbox" {
      throw file.refusal(
        "environments", "expected Production or Sandbox, found \"\(word)\"")
    }
    return Set(words.map { AppStoreEnvironment(rawValue: $0) })
  }

  private static func app(
    _ file: JSON5Object, _ environments: Set<AppStoreEnvironment>, others: [App]
  ) throws(JSON5Error) -> App {
    try file.allow(only: [
      "bundleId", "appAppleId", "products", "appStoreConnect", "consumption",
    ])
    let bundleId = try file.required("bundleId", file.string("bundleId"))
    guard !bundleId.isEmpty else { throw file.refusal("bundleId", "is empty") }
    guard !others.contains(where: { $0.bundleId == bundleId }) else {
      throw file.refusal("bundleId", "\(bundleId) is named twice")
    }
    let appAppleId = try file.integer("appAppleId", in: 1 ... .max)
    guard appAppleId != nil || !environments.contains(.production) else {
      throw file.refusal(
        "appAppleId",
        "is missing, and Production cannot be verified without it; "
          + "App Store Connect shows it as Apple ID under App Information")
    }
    var catalog: [CatalogEntry] = []
    for product in try file.objects("products") ?? [] {
      catalog.append(try CatalogEntry(product))
    }
    let key = try file.object("appStoreConnect").map { (key) throws(JSON5Error) in
      try AppStoreConnectKey(key)
    }
    var app = App(
      bundleId: bundleId, appAppleId: appAppleId, catalog: catalog, appStoreConnect: key)
    if let consumption = try file.object("consumption") {
      app.consumption = try ConsumptionPolicies(consumption)
    }
    return app
  }

  static func policy(_ file: JSON5Object) throws(JSON5Error) -> PolicyEntry {
    try file.allow(only: [
      "effectiveFromMs", "renewalLeewayMinutes", "unknownCustomer", "spentCredits",
    ])
    let unknown = try file.string("unknownCustomer") ?? "deny"
    guard let treatment = PolicyEntry.UnknownCustomer(rawValue: unknown) else {
      throw file.refusal("unknownCustomer", "expected allow or deny, found \"\(unknown)\"")
    }
    let spent = try file.string("spentCredits") ?? "debt"
    guard let spentCredits = PolicyEntry.SpentCredits(rawValue: spent) else {
      throw file.refusal(
        "spentCredits", "expected debt, freeze or writeOff, found \"\(spent)\"")
    }
    return PolicyEntry(
      effectiveFrom: try file.moment("effectiveFromMs"),
      renewalLeeway: .minutes(try file.integer("renewalLeewayMinutes", in: 0...10_080) ?? 60),
      unknownCustomer: treatment, spentCredits: spentCredits)
  }
}

extension CatalogEntry {
  /// Reads an entry; `productId` is the product that is meant where the object need not name one.
  init(_ file: JSON5Object, of productId: String? = nil) throws(JSON5Error) {
    try file.allow(only: [
      "productId", "entitlements", "type", "lengthDays", "creditsPerUnit", "creditUnit",
      "familyShareable",
      "effectiveFromMs",
    ])
    let type = try file.string("type").map { ProductType(rawValue: $0) }
    if case .unknown(let word)? = type {
      throw file.refusal("type", "\"\(word)\" is none of Apple's four product types")
    }
    let named = try file.string("productId")
    self.init(
      productId: try file.required("productId", productId ?? named),
      effectiveFrom: try file.moment("effectiveFromMs"),
      entitlements: try file.required("entitlements", file.strings("entitlements")),
      typeHint: type,
      length: try file.integer("lengthDays", in: 1...36_500).map { .days($0) },
      creditsPerUnit: try file.integer("creditsPerUnit", in: 1...1_000_000_000),
      creditUnit: try file.string("creditUnit") ?? "credits",
      isFamilyShareable: try file.bool("familyShareable") ?? false)
  }
}

extension Configuration.Listener {
  fileprivate init(_ file: JSON5Object) throws(JSON5Error) {
    self.init()
    try file.allow(only: [
      "host", "port", "localPort", "certificate", "key", "allowPlainPublic", "threads",
    ])
    host = try file.string("host") ?? host
    port = try file.integer("port", in: 0...65_535).map { UInt16($0) } ?? port
    localPort = try file.integer("localPort", in: 0...65_535).map { UInt16($0) }
    certificatePath = try file.string("certificate")
    keyPath = try file.string("key")
    allowsPlainPublic = try file.bool("allowPlainPublic") ?? false
    threads = try file.integer("threads", in: 1...64).map { Int($0) }
    guard (certificatePath == nil) == (keyPath == nil) else {
      throw file.refusal("certificate", "certificate and key belong together")
    }
  }
}

extension JSON5Object {
  fileprivate func moment(_ name: String) throws(JSON5Error) -> Timestamp {
    try integer(name).map { Timestamp(millisecondsSince1970: $0) } ?? .distantPast
  }
}
