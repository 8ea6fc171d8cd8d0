import Testing

/// What the documents say of the repository is so.
struct DocumentTests {
  private static let documents = Repository.files.filter { $0.path.hasSuffix(".md") }

  /// Links to files that are not there.
  ///
  /// Shape: `path: link`.
  static func brokenLinks(_ files: [SourceFile], exists: (String) -> Bool) -> [String] {
    files.flatMap { file in
      file.text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        .filter { !$0.contains("://") && !$0.hasPrefix("#") && !$0.hasPrefix("mailto:") }
        .filter { !exists(resolve($0, from: file.path)) }
        .map { "\(file.path): \($0)" }
    }
  }

  private static func resolve(_ link: String, from path: String) -> String {
    var parts = path.split(separator: "/").dropLast()
    for part in link.prefix(while: { $0 != "#" }).split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// What is wrong with the pages of decisions: a gap in the numbers, a section that is missing.
  static func decisionFindings(_ files: [SourceFile]) -> [String] {
    let pages = files.filter { $0.path.hasPrefix("docs/decisions/") }
    let expected = pages.indices.map { index in
      String(repeating: "0", count: 4 - String(index + 1).count) + String(index + 1) + "-"
    }
    return zip(pages, expected).flatMap { page, number -> [String] in
      let sections = ["## Context", "## Decision", "## Consequences"]
      let missing = sections.filter { !page.text.contains($0) }
      let misnumbered = page.name.hasPrefix(number) ? [] : ["is not number \(number)"]
      return (missing + misnumbered).map { "\(page.path): \($0)" }
    }
  }

  @Test func `every link between documents leads somewhere`() {
    #expect(Self.brokenLinks(Self.documents, exists: Repository.exists) == [])
    let sample = SourceFile("docs/a/b.md", "[c](../c.md#part) [d](d.md) [e](https://e.example)")
    let broken = Self.brokenLinks([sample]) { $0 == "docs/c.md" }
    #expect(broken == ["docs/a/b.md: d.md"])
  }

  @Test func `decisions are numbered without a gap and have the same sections`() {
    let whole = "## Context\n## Decision\n## Consequences"
    let pages = [
      SourceFile("docs/decisions/0001-a.md", whole), SourceFile("docs/decisions/0003-c.md", whole),
    ]
    #expect(Self.decisionFindings(pages) == ["docs/decisions/0003-c.md: is not number 0002-"])
  }

  @Test func `the changelog has a place for what is not released`() throws {
    let changelog = try #require(Self.documents.first { $0.path == "CHANGELOG.md" })
    #expect(changelog.text.contains("\n## Unreleased\n"))
  }

  @Test func `the first screen of the README has the two commands`() throws {
    let readme = try #require(Self.documents.first { $0.path == "README.md" })
    let screen = readme.lines.prefix(50).joined(separator: "\n")
    #expect(screen.contains("./clawback "))
    #expect(screen.contains("./test"))
  }
}
