import JSON5
import LedgerServer

/// The configuration file that server commands share.
enum ConfigurationFile {
  static let option = Option<String>.text(
    "config", "FILE", default: "clawback.json5", "The configuration file.")

  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``, naming line, column and setting.
  static func read(_ path: String) throws(CommandFailure) -> Configuration {
    let text = try InputFile.read(path)
    do throws(JSON5Error) {
      return try Configuration(json5: text)
    } catch {
      throw CommandFailure(
        "\(path): \(error).", advice: "'clawback init' writes a file with every setting explained.",
        code: .unusable)
    }
  }
}
