import Foundation
import Testing

/// What an app's developer reads: the doc comments of the kit, and the page that says what was verified.
struct KitDocumentTests {
  private static let targets: Set<String> = ["EntitlementKit", "EntitlementKitTesting"]

  /// Public declarations, and cases of public enums, without a doc comment.
  static func undocumented(_ files: [SourceFile]) -> [String] {
    files.filter { $0.target.map(targets.contains) ?? false }.flatMap { file -> [String] in
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      var enums: [(indent: Int, isPublic: Bool)] = []
      return lines.indices.compactMap { index -> String? in
        let line = lines[index]
        let indent = line.prefix { $0 == " " }.count
        if !line.isEmpty, let last = enums.last, indent <= last.indent { enums.removeLast() }
        let isPublic = line.contains(/^ *(?:@\w+ )*public (?!import)/)
        if line.contains(/\benum \w+.*\{$/) { enums.append((indent, isPublic)) }
        let isCase = enums.last.map { $0.isPublic && indent == $0.indent + 2 } ?? false
        guard isPublic || isCase && line.contains(/^ *case \w/) else { return nil }
        var above = index - 1
        while above >= 0, lines[above].contains(/^ *(?:@|#if)/) { above -= 1 }
        let isDocumented = above >= 0 && lines[above].contains(/^ *\/\/\//)
        return isDocumented ? nil : "\(file.path):\(index + 1)"
      }
    }
  }

  @Test func `everything public of the kit says what it is`() {
    #expect(Self.undocumented(Repository.swiftSources) == [])
    let sample = """
      /// Said.
      public enum A {
        /// Said.
        case b
        case c
        var d: Int { switch self { case .b: 1 } }
      }
      @MainActor public func e() {}
      """
    let file = SourceFile("Sources/EntitlementKit/A.swift", sample)
    #expect(
      Self.undocumented([file]) == [
        "Sources/EntitlementKit/A.swift:5", "Sources/EntitlementKit/A.swift:8",
      ])
  }

  @Test func `every test that the kit's page of claims names is there`() {
    let page = Repository.text("Sources/EntitlementKit/EntitlementKit.docc/Verified.md")
    let named = Set(page.matches(of: /`(\w+Tests)`/).map { String($0.1) })
    let known = Set(
      Repository.files.filter { $0.path.hasPrefix("Tests/") }
        .map { $0.stem })
    #expect(named.count > 15)
    #expect(named.subtracting(known) == [])
    let scenes = Repository.files.filter {
      $0.path.hasPrefix("Tests/EntitlementKitTests/") && $0.name.hasSuffix("Tests.swift")
    }.map { $0.stem }
    #expect(Set(scenes).subtracting(named) == ["AdvancedCommerceTests", "SignedPayloadTests"])
  }

  @Test func `every example of the article about testing stands in the sample app's tests`() {
    let page = Repository.text("Sources/EntitlementKit/EntitlementKit.docc/Testing.md")
    let tests = Repository.files.filter { $0.path.hasPrefix("Examples/GateApp/Tests/") }
      .map { Self.trimmed($0.text) }.joined(separator: "\n")
    let examples = page.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(examples.count > 15)
    #expect(examples.filter { !tests.contains(Self.trimmed($0)) } == [])
  }

  private static func trimmed(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }
}

extension SourceFile {
  /// The name without what says its kind.
  fileprivate var stem: String { name.split(separator: ".").first.map(String.init) ?? name }
}
