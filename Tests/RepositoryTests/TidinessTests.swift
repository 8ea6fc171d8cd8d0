import Testing

/// Nothing is left lying about.
struct TidinessTests {
  private static let longest = 450

  static func leftovers(_ files: [SourceFile]) -> [String] {
    let notes = /\b(TODO|FIXME|XXX|HACK|WIP)\b|(?i)\b(not (yet )?implemented|coming soon)\b/
    return files.filter { !$0.path.hasPrefix("Tests/RepositoryTests/") }.flatMap { file in
      file.lines.enumerated().filter { $0.element.contains(notes) }
        .map { "\(file.path):\($0.offset + 1)" }
    }
  }

  static func overlong(_ files: [SourceFile]) -> [String] {
    files.filter { $0.isSwift && $0.lines.count > longest }.map { "\($0.path): \($0.lines.count)" }
  }

  /// Files of Sources that declare only names which no other file has.
  static func dead(_ files: [SourceFile]) -> [String] {
    let swift = files.filter { $0.isSwift && $0.path != "Package.swift" }
    var places: [Substring: Int] = [:]
    for file in swift {
      for word in Set(file.code(keepingStrings: true).matches(of: /\w+/).map(\.0)) {
        places[word, default: 0] += 1
      }
    }
    return swift.filter { file in
      let names = declaredNames(file)
      return file.target != nil && !names.isEmpty && !file.code().contains("@main")
        && !names.contains { places[$0, default: 0] > 1 }
    }.map(\.path)
  }

  private static func declaredNames(_ file: SourceFile) -> [Substring] {
    file.code()
      .matches(of: /\b(?:struct|class|enum|actor|protocol|func|var|let|case|typealias) +(\w+)/)
      .map(\.1)
  }

  /// Files that are named for something they do not declare.
  ///
  /// An extension file, `Type+Topic.swift`, has to name its type only.
  static func misnamed(_ files: [SourceFile]) -> [String] {
    files.filter { $0.isSwift && $0.target != nil }.filter { file in
      let parts = file.name.dropLast(".swift".count).split(separator: "+")
      let type = parts.first ?? ""
      let code = file.code()
        .replacing(/import +(?:struct|class|enum|protocol|typealias)\b/, with: "import")
      if parts.count > 1 { return !code.contains(type) }
      let declared =
        code
        .matches(of: /\b(?:struct|class|enum|actor|protocol|extension|typealias) +([\w.]+)/)
        .map { $0.1.split(separator: ".").last ?? "" }
      return !declared.isEmpty && !declared.contains(type)
    }.map(\.path)
  }

  static func vagueFolders(_ files: [SourceFile]) -> [String] {
    let vague: Set<Substring> = ["Shared", "Utils", "Utilities", "Common", "Helpers", "Misc", "V2"]
    return files.map(\.path).filter { !vague.isDisjoint(with: $0.split(separator: "/")) }
  }

  /// Paths of the machine it was written on; `.ci/run` alone may look beside the checkout.
  static func foreignPaths(_ files: [SourceFile]) -> [String] {
    files.filter { $0.path != ".ci/run" && !$0.path.hasPrefix("Tests/RepositoryTests/") }
      .filter { $0.text.contains(/\.\.\/shared\b|(^|[\s"'`(])\/work\/|\/tmp\/bare/) }.map(\.path)
  }

  @Test func `no note is left for later`() {
    #expect(Self.leftovers(Repository.files) == [])
    #expect(Self.leftovers([SourceFile("a.swift", "\n// TODO: more")]) == ["a.swift:2"])
    #expect(Self.leftovers([SourceFile("a.md", "Not yet implemented.")]) == ["a.md:1"])
    #expect(Self.leftovers([SourceFile("a.md", "a todo list; implemented")]) == [])
  }

  @Test func `no file is too long to read at one sitting`() {
    #expect(Self.overlong(Repository.files) == [])
    let long = SourceFile("a.swift", String(repeating: "\n", count: 450))
    #expect(Self.overlong([long]) == ["a.swift: 451"])
  }

  @Test func `no file is dead`() {
    #expect(Self.dead(Repository.files) == [])
    let files = [
      SourceFile("Sources/A/Used.swift", "struct Used {}"),
      SourceFile("Sources/A/Dead.swift", "struct Dead { let usedUp: Used }"),
    ]
    #expect(Self.dead(files) == ["Sources/A/Dead.swift"])
  }

  @Test func `a file is named as what it declares or extends`() {
    #expect(Self.misnamed(Repository.files) == [])
    let files = [
      SourceFile("Sources/A/Money.swift", "public struct Currency {}"),
      SourceFile("Sources/A/Money+Text.swift", "extension Money {}"),
      SourceFile("Sources/A/Exports.swift", "@_exported public import struct B.Money"),
    ]
    #expect(Self.misnamed(files) == ["Sources/A/Money.swift"])
  }

  @Test func `folders are named for the domain`() {
    #expect(Self.vagueFolders(Repository.files) == [])
    #expect(Self.vagueFolders([SourceFile("Sources/A/Utils/B.swift", "")]).count == 1)
  }

  @Test func `nothing depends on the machine it was written on`() {
    #expect(Self.foreignPaths(Repository.files) == [])
    #expect(Self.foreignPaths([SourceFile("a.sh", "cat ../" + "shared/x")]).count == 1)
    #expect(Self.foreignPaths([SourceFile("a.sh", "cat /" + "work/x")]).count == 1)
    #expect(Self.foreignPaths([SourceFile("a.md", "https://a.example/" + "work/x")]) == [])
  }
}
