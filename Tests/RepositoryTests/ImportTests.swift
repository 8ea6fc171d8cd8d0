import Testing

/// Imports between our targets point one way.
struct ImportTests {
  /// What a target may import of ours; what is not listed is not a target.
  private static let allowed: [String: Set<String>] = [
    "AppStoreModel": [],
    "JSON5": [],
    "AppStoreVerification": ["AppStoreModel", "CCrypto"],
    "EntitlementLedger": ["AppStoreModel"],
    "StoreKit": [],
    "EntitlementKit": ["AppStoreModel", "EntitlementLedger", "StoreKit"],
    "EntitlementKitTesting": ["AppStoreModel", "EntitlementKit", "StoreKit"],
    "LedgerReports": ["AppStoreModel", "EntitlementLedger"],
    "LedgerStorage": ["AppStoreModel", "EntitlementLedger", "LedgerReports", "CCrypto"],
    "SQLiteStorage": ["AppStoreModel", "EntitlementLedger", "LedgerStorage", "CSQLite"],
    "HTTPListener": ["AppStoreModel", "CMicrohttpd"],
    "AppStoreServerAPI": ["AppStoreModel", "AppStoreVerification", "CCurl", "CCrypto"],
    "LedgerServer": [
      "HTTPListener", "AppStoreModel", "AppStoreVerification", "AppStoreServerAPI",
      "EntitlementLedger", "LedgerReports", "LedgerStorage", "JSON5", "CMicrohttpd", "CCrypto",
      "CCurl",
    ],
    "AppStoreSimulator": [
      "AppStoreModel", "JSON5", "HTTPListener", "StoreKit", "CCrypto", "CCurl",
    ],
    "clawback": [
      "AppStoreModel", "AppStoreVerification", "AppStoreServerAPI", "EntitlementLedger",
      "LedgerReports", "LedgerStorage", "SQLiteStorage", "LedgerServer", "AppStoreSimulator",
      "JSON5", "EntitlementKit", "EntitlementKitTesting", "HTTPListener",
    ],
    "CCrypto": [], "CSQLite": [], "CMicrohttpd": [], "CCurl": [],
  ]

  static func findings(_ files: [SourceFile]) -> [String] {
    files.flatMap { file -> [String] in
      guard let target = file.target else { return [] }
      guard let allowed = allowed[target] else { return ["\(file.path): unknown target"] }
      return imports(file)
        .filter { Self.allowed.keys.contains($0) && !allowed.contains($0) }
        .map { "\(file.path): \($0)" }
    }
  }

  private static func imports(_ file: SourceFile) -> [String] {
    file.code().matches(of: /import +(?:struct |enum |class |func |protocol )?(\w+)/)
      .map { String($0.1) }
  }

  @Test func `no target imports one above it`() {
    #expect(Self.findings(Repository.swiftSources) == [])
  }

  @Test(arguments: [
    ("EntitlementLedger", "import AppStoreVerification"),
    ("AppStoreModel", "public import EntitlementLedger"),
    ("SQLiteStorage", "package import LedgerServer"),
    ("AppStoreVerification", "@testable import struct AppStoreSimulator.Simulator"),
  ])
  func `an import against the direction is found`(target: String, line: String) {
    #expect(Self.findings([SourceFile("Sources/\(target)/A.swift", line)]).count == 1)
  }

  @Test func `an allowed import and a commented one are not found, a new target is`() {
    let files = [
      SourceFile("Sources/LedgerStorage/A.swift", "public import EntitlementLedger"),
      SourceFile("Sources/AppStoreModel/A.swift", "// import EntitlementLedger"),
      SourceFile("Sources/Sidecar/A.swift", ""),
    ]
    #expect(Self.findings(files) == ["Sources/Sidecar/A.swift: unknown target"])
  }
}
