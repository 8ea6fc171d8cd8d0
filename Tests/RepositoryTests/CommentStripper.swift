/// Takes comments, and on request the insides of string literals, out of Swift source.
///
/// Line breaks stay, so that line numbers do.
struct CommentStripper {
  private let text: [Character]
  private let keepsStrings: Bool
  private var position = 0
  private var output = ""

  init(_ text: String, keepsStrings: Bool) {
    self.text = Array(text)
    self.keepsStrings = keepsStrings
  }

  mutating func strip() -> String {
    while position < text.count {
      if takes("//") {
        skip { $0 == "\n" }
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
    return output
  }

  private func takes(_ word: String) -> Bool {
    text[position...].starts(with: word)
  }

  private mutating func skip(until isEnd: (Character) -> Bool) {
    while position < text.count, !isEnd(text[position]) { position += 1 }
  }

  private mutating func skipBlock() {
    while position < text.count, !takes("*/") {
      if text[position] == "\n" { output.append("\n") }
      position += 1
    }
    position += 2
  }

  private mutating func skipString(until quote: String) {
    output += quote
    position += quote.count
    while position < text.count, !takes(quote) {
      let length = text[position] == "\\" ? 2 : 1
      let taken = text[position..<min(position + length, text.count)]
      output += keepsStrings ? String(taken) : taken.contains("\n") ? "\n" : ""
      position += length
    }
    output += quote
    position += quote.count
  }
}
