/// A text file of the repository, or a sample that stands for one.
struct SourceFile: Sendable {
  /// Shape: relative to the repository's root, `Sources/AppStoreModel/Values/Money.swift`.
  let path: String

  let text: String

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
  }

  var name: String { String(path.split(separator: "/").last ?? "") }

  /// The target below Sources, absent elsewhere.
  var target: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  var isSwift: Bool { path.hasSuffix(".swift") }

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// The text without comments; with `keepingStrings: false` also without what is between quotes.
  func code(keepingStrings: Bool = false) -> String {
    var stripper = CommentStripper(text, keepsStrings: keepingStrings)
    return stripper.strip()
  }
}
