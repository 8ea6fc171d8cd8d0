import FoundationEssentials
import Glibc

/// Where a command speaks: its result on the output, everything else on the diagnostics.
struct Console: Sendable {
  /// Whether someone watches the diagnostics, so that progress is worth drawing.
  let isWatched: Bool

  private let output: @Sendable (String) -> Void
  private let diagnostics: @Sendable (String) -> Void

  /// The process's own standard output and standard error.
  static let standard = Console(
    isWatched: isatty(STDERR_FILENO) == 1,
    output: { write($0, to: STDOUT_FILENO) },
    diagnostics: { write($0, to: STDERR_FILENO) })

  init(
    isWatched: Bool, output: @escaping @Sendable (String) -> Void,
    diagnostics: @escaping @Sendable (String) -> Void
  ) {
    self.isWatched = isWatched
    self.output = output
    self.diagnostics = diagnostics
  }

  /// Prints a line of the result.
  func print(_ line: String) { output(line + "\n") }

  /// Prints the result for programs: one object on one line, its members sorted by name.
  ///
  /// Errors: what the value's own encoding throws.
  func print(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Tells the user something that is not the result.
  func note(_ line: String) { diagnostics(line + "\n") }

  /// Draws on the diagnostics without ending the line.
  func draw(_ text: String) { diagnostics(text) }
}

private func write(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(descriptor, start, rest.count)
      if count < 0, errno != EINTR { return }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
    }
  }
}
