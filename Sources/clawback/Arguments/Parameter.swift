/// Something a user may state on the command line: an ``Option`` or an ``Operand``.
protocol Parameter: Sendable {
  associatedtype Value: Sendable

  /// How the help writes it: `--port` or `FILE`. Unique within a command.
  var name: String { get }

  /// The word that stands for the value, absent for a flag.
  var valueName: String? { get }

  /// Shape: one sentence.
  var help: String { get }

  /// Whether the command line is wrong without it.
  var isRequired: Bool { get }

  /// Whether it may be stated more than once.
  var repeats: Bool { get }

  /// Turns what was stated, in order, into the value that the command reads.
  ///
  /// Errors: ``UsageError/badValue(_:_:expected:)`` when a word does not fit.
  func read(_ words: [String]) throws(UsageError) -> Value
}
