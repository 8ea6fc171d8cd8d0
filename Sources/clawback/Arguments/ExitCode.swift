/// What a command tells the shell.
///
/// Range: `0...125`; the shell uses the rest itself.
struct ExitCode: RawRepresentable, Hashable, Sendable {
  static let success = ExitCode(rawValue: 0)
  static let failure = ExitCode(rawValue: 1)

  /// The command line, or a file that it names, cannot be used.
  static let unusable = ExitCode(rawValue: 2)

  let rawValue: Int32
}
