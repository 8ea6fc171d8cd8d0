import Glibc
import JSON5
import LedgerServer

/// The configuration file that server commands share.
enum ConfigurationFile {
  static let standing = "clawback.json5"
  static let option = Option<String>.text(
    "config", "FILE", default: standing,
    "The configuration file; relative paths in it begin in its folder.")

  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``, naming line, column and setting.
  static func read(_ path: String) throws(CommandFailure) -> Configuration {
    let text = try bytes(path)
    do throws(JSON5Error) {
      var configuration = try Configuration(json5: text)
      if let slash = path.lastIndex(of: "/") { configuration.place(in: String(path[..<slash])) }
      return configuration
    } catch {
      throw CommandFailure(
        "\(path): \(error)", advice: "'clawback init' writes a file with every setting explained.",
        code: .unusable)
    }
  }

  private static func bytes(_ path: String) throws(CommandFailure) -> [UInt8] {
    do throws(CommandFailure) {
      return try InputFile.read(path, mebibytes: 4)
    } catch {
      guard access(path, F_OK) != 0 else { throw error }
      throw CommandFailure(
        error.description,
        advice:
          "'clawback init --bundle-id ID' makes a configuration file, and --config FILE names "
          + "one that is elsewhere.",
        code: .unusable)
    }
  }
}
