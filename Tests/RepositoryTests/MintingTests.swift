import Testing

/// Proof is made where signatures are checked, and taken back where it was stored.
struct MintingTests {
  /// The places below Sources where an argument with this label may stand.
  ///
  /// The kit mints from what StoreKit itself has verified.
  private static let places: [(label: String, targets: Set<String>)] = [
    ("proved", ["AppStoreVerification", "EntitlementKit"]), ("restoring", ["LedgerStorage"]),
  ]

  static func findings(_ files: [SourceFile]) -> [String] {
    files.flatMap { file in
      places.filter { !$0.targets.contains(file.target ?? "") && calls($0.label, in: file) }
        .map { "\(file.path): \($0.label)" }
    }
  }

  private static func calls(_ label: String, in file: SourceFile) -> Bool {
    file.code().split(separator: "\n").contains { line in
      line.matches(of: /\b(\w+):/).contains { $0.1 == label } && !declares(line)
    }
  }

  private static func declares(_ line: Substring) -> Bool {
    line.contains(/\b(package|internal|private) init\(/)
  }

  @Test func `only the verifier mints and only the storage restores`() {
    #expect(Self.findings(Repository.swiftSources) == [])
  }

  @Test func `the verifier does mint, so the label is the right one`() {
    let verifier = Repository.swiftSources.filter { $0.target == "AppStoreVerification" }
    #expect(verifier.contains { Self.calls("proved", in: $0) })
  }

  @Test(arguments: [
    ("LedgerServer", "let a = Verified(proved: payload)"),
    ("EntitlementLedger", "let a: Verified<Opaque> = .init(proved: payload)"),
    ("SQLiteStorage", "Verified(\n  restoring: payload)"),
  ])
  func `minting elsewhere is found`(target: String, code: String) {
    #expect(Self.findings([SourceFile("Sources/\(target)/A.swift", code)]).count == 1)
  }
}
