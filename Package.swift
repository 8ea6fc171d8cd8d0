// swift-tools-version: 6.2
import PackageDescription

// `platforms` is one list for the whole package, so what needs more than this floor (the server,
// the storage, the simulator, the command) is declared on Linux only.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

#if os(Linux)
  let storeKit: [Target.Dependency] = ["StoreKit"]  // the stand-in: declarations, no library
#else
  let storeKit: [Target.Dependency] = []  // Apple's own comes with the system
#endif

var products: [Product] = [
  .library(name: "EntitlementKit", targets: ["EntitlementKit"]),
  .library(name: "EntitlementKitTesting", targets: ["EntitlementKitTesting"]),
]
var targets: [Target] = [
  library("AppStoreModel"),
  library("EntitlementLedger", ["AppStoreModel"]),
  library("EntitlementKit", ["AppStoreModel", "EntitlementLedger"] + storeKit),
  library("EntitlementKitTesting", ["AppStoreModel", "EntitlementKit"] + storeKit),
]

#if os(Linux)
  /// What several targets of tests need.
  func support(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
      name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: settings)
  }

  func system(_ name: String, _ package: String, apt: String) -> Target {
    .systemLibrary(
      name: name, path: "Sources/\(name)", pkgConfig: package, providers: [.apt([apt])])
  }

  // Embedded, so that the executable may be moved alone.
  let stories = [
    "01-test", "02-consumable", "03-consumable-partly-refunded", "04-non-consumable-refunded",
    "05-refund-reversed", "06-refunded-again", "07-refund-declined", "07b-declined-in-app",
    "08-subscribe-and-renew", "09-free-trial-to-paid", "09b-trial-cancelled",
    "10-cancelled-and-regretted", "11-billing-retry", "12-grace-recovered", "13-grace-to-the-end",
    "14-upgrade", "15-downgrade", "16-offers", "17-price-rise-accepted", "17b-price-rise-ignored",
    "18-running-period-refunded", "19-old-renewal-refunded", "20-two-refunds",
    "21-prorated-then-resubscribed", "22-family-payer-refunded", "23-family-member-leaves",
    "24-late-retry", "25-outage", "26-mass-extension", "27-commitment", "28-advanced-commerce",
    "29-seats", "30-consent-and-tokens", "31-unknown-future", "32-moved-to-a-bundle",
    "33-two-chains", "34-hostile", "34b-huge-body", "35-api-faults",
  ]

  products.append(.executable(name: "clawback", targets: ["clawback"]))
  targets += [
    system("CCrypto", "libcrypto", apt: "libssl-dev"),
    system("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
    system("CMicrohttpd", "libmicrohttpd", apt: "libmicrohttpd-dev"),
    system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
    library("StoreKit"),
    library("JSON5"),
    library("AppStoreVerification", ["AppStoreModel", "CCrypto"]),
    library(
      "AppStoreServerAPI", ["AppStoreModel", "AppStoreVerification", "CCurl", "CCrypto"]),
    library("LedgerReports", ["AppStoreModel", "EntitlementLedger"]),
    library(
      "LedgerStorage", ["AppStoreModel", "EntitlementLedger", "LedgerReports", "CCrypto"]),
    library("SQLiteStorage", ["AppStoreModel", "EntitlementLedger", "LedgerStorage", "CSQLite"]),
    library("HTTPListener", ["AppStoreModel", "CMicrohttpd"]),
    library(
      "LedgerServer",
      [
        "HTTPListener", "AppStoreModel", "AppStoreVerification", "AppStoreServerAPI",
        "EntitlementLedger", "LedgerReports", "LedgerStorage", "JSON5", "CMicrohttpd", "CCrypto",
        "CCurl",
      ]),
    .target(
      name: "AppStoreSimulator",
      dependencies: ["AppStoreModel", "JSON5", "HTTPListener", "StoreKit", "CCrypto", "CCurl"],
      resources: stories.map { .embedInCode("Stories/\($0).json5") }, swiftSettings: settings),
    .executableTarget(
      name: "clawback",
      dependencies: [
        "AppStoreModel", "AppStoreVerification", "AppStoreServerAPI", "EntitlementLedger",
        "LedgerReports", "LedgerStorage", "SQLiteStorage", "LedgerServer", "AppStoreSimulator",
        "JSON5", "EntitlementKit", "EntitlementKitTesting", "HTTPListener",
      ],
      swiftSettings: settings),
    support("ContractSupport", ["AppStoreModel"]),
    support("ChanceSupport", ["AppStoreModel", "AppStoreSimulator"]),
    support("PortSupport"),
    tests("AppStoreModelTests", ["AppStoreModel", "AppStoreSimulator"]),
    tests(
      "EntitlementLedgerTests",
      [
        "AppStoreModel", "EntitlementLedger", "LedgerReports", "AppStoreSimulator", "ChanceSupport",
      ]),
    tests("LedgerReportsTests", ["AppStoreModel", "EntitlementLedger", "LedgerReports"]),
    tests(
      "EntitlementKitTests",
      [
        "AppStoreModel", "EntitlementLedger", "EntitlementKit", "EntitlementKitTesting", "StoreKit",
        "ChanceSupport",
      ]),
    tests("JSON5Tests", ["JSON5"]),
    tests(
      "AppStoreVerificationTests",
      ["AppStoreModel", "AppStoreVerification", "AppStoreSimulator", "CCrypto"]),
    tests(
      "StorageTests",
      [
        "AppStoreModel", "EntitlementLedger", "LedgerReports", "LedgerStorage", "SQLiteStorage",
        "AppStoreSimulator", "ContractSupport",
      ]),
    tests(
      "AppStoreServerAPITests",
      [
        "AppStoreModel", "AppStoreVerification", "AppStoreServerAPI", "AppStoreSimulator",
        "HTTPListener", "CCrypto",
      ]),
    tests(
      "LedgerServerTests",
      [
        "HTTPListener", "AppStoreModel", "AppStoreVerification", "AppStoreServerAPI",
        "EntitlementLedger", "LedgerReports", "LedgerStorage", "SQLiteStorage", "LedgerServer",
        "AppStoreSimulator", "JSON5", "ContractSupport", "ChanceSupport", "CCrypto",
      ]),
    tests(
      "AppStoreSimulatorTests",
      [
        "HTTPListener", "AppStoreModel", "AppStoreVerification", "AppStoreSimulator", "CCrypto",
      ]),
    tests(
      "ClawbackTests",
      [
        "clawback", "AppStoreModel", "AppStoreSimulator", "EntitlementLedger", "LedgerStorage",
        "ContractSupport", "PortSupport",
      ]),
    tests(
      "EndToEndTests",
      [
        "AppStoreModel", "AppStoreVerification", "AppStoreServerAPI", "EntitlementLedger",
        "LedgerStorage", "SQLiteStorage", "LedgerServer", "HTTPListener", "AppStoreSimulator",
        "EntitlementKit", "EntitlementKitTesting", "StoreKit", "ContractSupport",
        "PortSupport",
      ]),
    tests("RepositoryTests", []),
  ]
#endif

let package = Package(
  name: "clawback",
  platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
  products: products,
  targets: targets,
  swiftLanguageModes: [.v6]
)
