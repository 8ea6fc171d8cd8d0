/// What a command tells about itself: the source of its help and of its argument rules.
struct Usage: Sendable {
  /// Shape: one word, or two for a command of a family (`keys create`).
  let name: String

  /// Shape: one sentence.
  let summary: String

  /// Shape: paragraphs without line breaks of their own; may be empty.
  let discussion: String

  let operands: [any Parameter]
  let options: [any Parameter]

  /// Shape: a complete command line, beginning with `clawback`.
  let example: String

  /// What each exit code means, without the one for wrong arguments, which every command shares.
  let exitCodes: [(code: ExitCode, meaning: String)]

  init(
    _ name: String, _ summary: String, discussion: String = "", operands: [any Parameter] = [],
    options: [any Parameter] = [], example: String, exitCodes: [(ExitCode, String)]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.operands = operands
    self.options = options
    self.example = example
    self.exitCodes = exitCodes.map { (code: $0.0, meaning: $0.1) }
  }

  var words: [String] { name.split(separator: " ").map(String.init) }
}
