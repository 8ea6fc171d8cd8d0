import Testing

/// Every schema of the contracts is held against something that the program really says.
struct SchemaTests {
  private static let folder = "docs/contracts/schemas/"

  /// Schemas that no test names and that no schema in use refers to.
  static func unheld(_ files: [SourceFile]) -> [String] {
    let schemas = files.filter { $0.path.hasPrefix(folder) && $0.path.hasSuffix(".json") }
    var held = Set(files.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }.flatMap(named))
    var isComplete = false
    while !isComplete {
      let reached = schemas.filter { held.contains(name($0)) }.flatMap(references)
      isComplete = held.isSuperset(of: reached)
      held.formUnion(reached)
    }
    return schemas.map(name).filter { !held.contains($0) }
  }

  private static func name(_ schema: SourceFile) -> String { String(schema.name.dropLast(5)) }

  private static func named(_ test: SourceFile) -> [String] {
    guard !test.path.hasPrefix("Tests/RepositoryTests/") else { return [] }
    return test.code(keepingStrings: true).matches(of: /\bJSONSchema\("([a-z-]+)"\)/)
      .map { String($0.1) }
  }

  private static func references(_ schema: SourceFile) -> [String] {
    schema.text.matches(of: /"\$ref": *"([a-z-]+)\.json/).map { String($0.1) }
  }

  @Test func `no schema is without a test that holds it against real output`() {
    #expect(Self.unheld(Repository.files) == [])
    #expect(Repository.files.contains { $0.path == Self.folder + "decision.json" })
  }

  @Test func `a schema that nothing holds is found`() {
    let files = [
      SourceFile(Self.folder + "page.json", #"{"items": {"$ref": "item.json"}}"#),
      SourceFile(Self.folder + "item.json", "{}"),
      SourceFile(Self.folder + "lost.json", #"{"$ref": "item.json"}"#),
      SourceFile("Tests/ATests/A.swift", #"try JSONSchema("page").findings(in: answer)"#),
      SourceFile("Tests/ATests/B.swift", #"// try JSONSchema("lost")"#),
    ]
    #expect(Self.unheld(files) == ["lost"])
  }
}
