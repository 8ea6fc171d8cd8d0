import Glibc
import LedgerServer

/// The log of a command that does a server's work.
enum LogFile {
  static let option = Option<String?>.text(
    "log", "FILE", "Append the log there, one JSON object a line, as serve writes it.")

  /// The log of a path; without one it says nothing.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable`` when the file cannot be opened.
  static func open(_ path: String?) throws(CommandFailure) -> Log {
    guard let path else { return Log(descriptor: -1) }
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        "\(path) cannot be written: \(String(cString: strerror(errno))).",
        advice: "Name a file in a folder that exists.", code: .unusable)
    }
    return Log(descriptor: descriptor)
  }

  /// Says where the log is when another process does the work.
  static func tell(_ path: String?, isServed: Bool, on console: Console) {
    guard let path, isServed else { return }
    console.note(
      "The process that holds the ledger does the work and writes its own log; \(path) gets nothing."
    )
  }
}
