import Glibc

/// The command line.
@main
struct Clawback {
  static let version = "0.1.0"

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let code = Dispatcher(commands: CommandList.all).run(words, on: .standard)
    exit(lost(code).rawValue)
  }

  /// A result that nobody can read is no success.
  private static func lost(_ code: ExitCode) -> ExitCode {
    guard let reason = Console.lostOutput else { return code }
    Console.standard.note("clawback: the result could not be written: \(reason).")
    return code == .success ? .failure : code
  }
}
