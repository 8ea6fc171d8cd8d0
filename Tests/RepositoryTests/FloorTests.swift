import Testing

/// What apps compile in runs on iOS 15 and macOS 12, which the compiler on Linux cannot check.
struct FloorTests {
  private static let pure: Set<String> = ["AppStoreModel", "EntitlementLedger"]

  /// What runs on phones and may use Foundation, a clock and files.
  private static let shells: Set<String> = ["EntitlementKit", "EntitlementKitTesting"]

  /// Names of types and modules that came later.
  private static let names: Set<String> = [
    "Duration", "Clock", "ContinuousClock", "SuspendingClock", "Synchronization", "Mutex", "Atomic",
    "Regex", "Int128", "UInt128", "InlineArray", "Span", "RawSpan", "MutableSpan", "OutputSpan",
    "Observation", "Observable", "DiscardingTaskGroup", "TaskExecutor",
  ]

  /// Names that break purity: a clock, chance, input and output.
  private static let impure: Set<String> = [
    "Date", "SystemRandomNumberGenerator", "FileManager", "FileHandle", "ProcessInfo", "Glibc",
    "Darwin", "print", "debugPrint", "getenv",
  ]

  /// Forms that came later or that hide chance, looked for in code with its strings.
  private static let forms: [(name: String, found: @Sendable (String) -> Bool)] = [
    ("any P<T>", { $0.contains(/\bany +[\w.]+</) }),
    ("AsyncSequence<…>", { $0.contains(/\bAsyncSequence</) }),
    ("isolated deinit", { $0.contains(/\bisolated deinit\b/) }),
    ("Task.immediate", { $0.contains(/\bTask\.immediate/) }),
    ("a chance of its own", { $0.contains(/\.random\(\s*\)|\.random\(in: [^,()]*\)/) }),
    ("string processing", { $0.contains(/\.(replacing|trimmingPrefix|firstRange|ranges)\(/) }),
    ("contains(String)", { $0.contains(/\.contains\("(?:[^"\\]|\\.){2,}"\)/) }),
  ]

  static func findings(_ files: [SourceFile]) -> [String] {
    files.flatMap { file -> [String] in
      let target = file.target ?? ""
      let isPure = pure.contains(target)
      guard isPure || shells.contains(target) else { return [] }
      let code = file.code(keepingStrings: true)
      let forms = forms.filter { $0.found(code) }.map(\.name)
      let late = names.subtracting(isGuarded(file) ? ["Observation", "Observable"] : [])
      let found = words(of: file).intersection(isPure ? late.union(impure) : late).sorted()
      let imports = isPure ? unguardedImports(file) : essentials(file)
      return (found + forms + imports).map { "\(file.path): \($0)" }
    }
  }

  private static func words(of file: SourceFile) -> Set<String> {
    Set(file.code().matches(of: /\w+/).map { String($0.0) })
  }

  /// Whether all of a file stands behind a question for the module and one for the system.
  private static func isGuarded(_ file: SourceFile) -> Bool {
    let code = file.code()
    return code.contains(/#if canImport\(Observation\)/) && code.contains(/@available\(iOS 17/)
  }

  private static func essentials(_ file: SourceFile) -> [String] {
    file.code().contains(/import FoundationEssentials/) ? ["FoundationEssentials"] : []
  }

  /// FoundationEssentials exists on Linux only, so an import needs its `#if canImport`.
  private static func unguardedImports(_ file: SourceFile) -> [String] {
    let lines = file.code().split(separator: "\n")
    return zip([""] + lines, lines)
      .filter { before, line in
        line.contains(/import Foundation\w*/) && !before.contains(/^#(if canImport|else)/)
      }
      .map { _, line in String(line) }
  }

  @Test
  func `what apps compile in uses nothing newer than its floor, and model and ledger no clock`() {
    #expect(Self.findings(Repository.swiftSources) == [])
  }

  @Test(arguments: [
    "func wait(_ time: Duration)", "import Synchronization", "let pattern: Regex<Substring>",
    "let all: any Sequence<Int>", "func read(_ bytes: Span<UInt8>)", "isolated deinit {}",
    "Task.immediate { }", "some AsyncSequence<Int, Never>", "import FoundationEssentials",
    "let now = Date()", "Bool.random()", "Int.random(in: 0..<9)", #"text.contains("xcode")"#,
    #"text.replacing("a", with: "b")"#, "print(fact)",
  ])
  func `what is newer or impure is found`(code: String) {
    #expect(Self.findings([SourceFile("Sources/AppStoreModel/A.swift", code)]).count == 1)
  }

  @Test(arguments: [
    "/// Like a Duration.", "let name = \"Clock\"", "Int.random(in: 0..<9, using: &generator)",
    "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#endif",
    #"text.contains("x")"#, "let all: any Sequence", "var timestampSpan = 1",
  ])
  func `what only looks like it is not found`(code: String) {
    #expect(Self.findings([SourceFile("Sources/EntitlementLedger/A.swift", code)]) == [])
  }

  @Test(arguments: [
    ("let now = Date()", 0), ("func wait(_ time: Duration)", 1), ("import Observation", 1),
    ("import FoundationEssentials", 1), ("Task.immediate { }", 1),
    ("#if canImport(Observation)\nimport Observation\n@available(iOS 17, *)\n#endif", 0),
  ])
  func `the kit may have a clock and nothing that is too new`(code: String, count: Int) {
    #expect(Self.findings([SourceFile("Sources/EntitlementKit/A.swift", code)]).count == count)
  }

  @Test func `the server may use what it likes`() {
    #expect(Self.findings([SourceFile("Sources/LedgerServer/A.swift", "Duration")]) == [])
  }
}
