import FoundationEssentials

/// Writes the files that a user names.
enum OutputFile {
  /// Errors: ``CommandFailure`` when the file cannot be written.
  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try Data(bytes).write(to: URL(filePath: path))
    } catch {
      throw CommandFailure(
        "\(path) cannot be written.", advice: "Name a file in a folder that exists.")
    }
  }
}
