import AppStoreSimulator
import Glibc

/// Finds the scenario that a user names: one that comes with this program, or a file.
enum ScenarioFile {
  /// The scenario of a name, a number or a path.
  ///
  /// Errors: ``CommandFailure`` with ``ExitCode/unusable``: unknown, unreadable, or with the line of
  /// what has no meaning.
  static func scenario(_ word: String) throws(CommandFailure) -> Scenario {
    if let known = Scenario.named(word) { return known }
    guard access(word, F_OK) == 0 else {
      throw CommandFailure(
        "There is no scenario '\(word)' and no such file.",
        advice: "'clawback simulate --list' names them.", code: .unusable)
    }
    let folder = word.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let text = try InputFile.read(word)
    do throws(ScenarioFailure) {
      return try Scenario(json5: text, name: name(word)) { path in
        let beside = path.hasPrefix("/") ? path : (folder + [path[...]]).joined(separator: "/")
        return try? InputFile.read(beside)
      }
    } catch {
      throw failure(error, of: word)
    }
  }

  /// What a scenario's failure is to its user.
  static func failure(_ error: ScenarioFailure, of word: String) -> CommandFailure {
    CommandFailure(
      "\(word): \(error)",
      advice: "'clawback simulate 05 --print' shows a file that works.", code: .unusable)
  }

  private static func name(_ path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    return file.hasSuffix(".json5") ? String(file.dropLast(6)) : String(file)
  }
}
