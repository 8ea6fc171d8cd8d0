import AppStoreModel
import FoundationEssentials
import Glibc
import Synchronization

/// Where a command speaks: its result on the output, everything else on the diagnostics.
struct Console: Sendable {
  /// Whether someone watches the diagnostics, so that progress is worth drawing.
  let isWatched: Bool

  private let output: @Sendable (String) -> Void
  private let diagnostics: @Sendable (String) -> Void
  private let loss: @Sendable () -> String?

  /// Why the output does not hold the whole result so far; `nil` while it does.
  var lostOutput: String? { loss() }

  /// The error number of the first write of a result that failed; 0 while none did.
  private static let failedWrite = Atomic<Int32>(0)

  /// Why the standard output does not hold the whole result; `nil` when it does.
  static var lostOutput: String? {
    let code = failedWrite.load(ordering: .relaxed)
    return code == 0 ? nil : String(cString: strerror(code))
  }

  /// The process's own standard output and standard error.
  static let standard = Console(
    isWatched: isatty(STDERR_FILENO) == 1,
    output: { text in
      let code = write(text, to: STDOUT_FILENO)
      if code != 0 {
        _ = failedWrite.compareExchange(expected: 0, desired: code, ordering: .relaxed)
      }
    },
    diagnostics: { _ = write($0, to: STDERR_FILENO) }, loss: { lostOutput })

  init(
    isWatched: Bool, output: @escaping @Sendable (String) -> Void,
    diagnostics: @escaping @Sendable (String) -> Void,
    loss: @escaping @Sendable () -> String? = { nil }
  ) {
    self.isWatched = isWatched
    self.output = output
    self.diagnostics = diagnostics
    self.loss = loss
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

  /// Prints a ledger's answer for programs, as it is.
  func print(json answer: JSONValue) {
    print(String(decoding: answer.json, as: UTF8.self))
  }

  /// Tells the user something that is not the result.
  func note(_ line: String) { diagnostics(line + "\n") }

  /// Draws on the diagnostics without ending the line.
  func draw(_ text: String) { diagnostics(text) }
}

/// - Returns: The error number, or 0 when all was written.
private func write(_ text: String, to descriptor: Int32) -> Int32 {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = Glibc.write(descriptor, start, rest.count)
      if count < 0, errno != EINTR { return errno }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
    }
    return 0
  }
}
