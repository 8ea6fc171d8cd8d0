/// A word that says where a list goes on, and that nobody should read.
struct PageToken {
  let text: String

  init(_ list: String, _ parts: String...) {
    text = Base64.url(Array(([list] + parts).joined(separator: "|").utf8))
  }

  /// What a word of one list was made of, absent for any other word.
  static func parts(of text: String, _ list: String, count: Int) -> [String]? {
    guard let bytes = Base64.decodedURL(text) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self)
      .split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.first == list, parts.count == count + 1 else { return nil }
    return Array(parts.dropFirst())
  }
}
