/// Takes comments, and on request the insides of string literals, out of Swift source.
///
/// Line breaks stay, so that line numbers do.
struct CommentStripper {
  private static let lineFeed = UInt8(ascii: "\n")

  private let text: [UInt8]
  private let keepsStrings: Bool
  private var position = 0
  private var output: [UInt8] = []

  init(_ text: String, keepsStrings: Bool) {
    self.text = Array(text.utf8)
    self.keepsStrings = keepsStrings
  }

  mutating func strip() -> String {
    while position < text.count {
      if takes("//") {
        skipLine()
      } else if takes("/*") {
        skipBlock()
      } else if takes("\"\"\"") {
        skipString(until: "\"\"\"")
      } else if takes("\"") {
        skipString(until: "\"")
      } else {
        output.append(text[position])
        position += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func takes(_ word: String) -> Bool {
    text[position...].starts(with: word.utf8)
  }

  private mutating func skipLine() {
    while position < text.count, text[position] != Self.lineFeed { position += 1 }
  }

  private mutating func skipBlock() {
    while position < text.count, !takes("*/") {
      if text[position] == Self.lineFeed { output.append(Self.lineFeed) }
      position += 1
    }
    position += 2
  }

  private mutating func skipString(until quote: String) {
    output += quote.utf8
    position += quote.count
    while position < text.count, !takes(quote) {
      let length = text[position] == UInt8(ascii: "\\") ? 2 : 1
      let taken = text[position..<min(position + length, text.count)]
      output += taken.filter { keepsStrings || $0 == Self.lineFeed }
      position += length
    }
    output += quote.utf8
    position += quote.count
  }
}
