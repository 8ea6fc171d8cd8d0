import Testing

/// What apps compile in runs on iOS 15 and macOS 12, which the compiler on Linux cannot check.
struct FloorTests {
  private static let targets: Set<String> = ["AppStoreModel", "EntitlementLedger"]

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
    files.filter { targets.contains($0.target ?? "") }.flatMap { file -> [String] in
      let words = Set(file.code().matches(of: /\w+/).map { String($0.0) })
      let code = file.code(keepingStrings: true)
      let found = words.intersection(names.union(impure)).sorted()
      let forms = forms.filter { $0.found(code) }.map(\.name)
      return (found + forms + unguardedImports(file)).map { "\(file.path): \($0)" }
    }
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

  @Test func `model and ledger use nothing newer than their floor, and no clock or chance`() {
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

  @Test func `the server may use what it likes`() {
    #expect(Self.findings([SourceFile("Sources/LedgerServer/A.swift", "Duration")]) == [])
  }
}
