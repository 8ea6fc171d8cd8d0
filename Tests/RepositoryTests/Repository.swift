import Foundation

/// The checkout that these tests were built from.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every text file that people wrote, in order of path.
  static let files: [SourceFile] = paths().compactMap { path in
    let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    return text.map { SourceFile(path, $0) }
  }

  static var swiftSources: [SourceFile] { files.filter { $0.isSwift && $0.target != nil } }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  static func text(_ path: String) -> String {
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
  }

  private static let written = [
    "swift", "md", "h", "c", "modulemap", "sh", "json", "json5", "yml", "py", "sql", "html", "",
  ]

  private static func paths() -> [String] {
    guard let all = FileManager.default.enumerator(atPath: root.path) else { return [] }
    var found: [String] = []
    for case let path as String in all {
      if [".git", ".build", ".swiftpm"].contains(path) {
        all.skipDescendants()
      } else if written.contains(URL(filePath: path).pathExtension) {
        found.append(path)
      }
    }
    return found.sorted()
  }
}
