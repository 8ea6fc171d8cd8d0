import FoundationEssentials
import Glibc

/// Writes the files that a user names.
enum OutputFile {
  /// Errors: ``CommandFailure`` when the file cannot be written.
  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try Data(bytes).write(to: URL(filePath: path))
    } catch {
      throw failure(path)
    }
  }

  /// Writes lines one after the other, so that not all of them are in memory at once.
  ///
  /// Errors: ``CommandFailure`` when the file cannot be written.
  static func write(lines: some Sequence<String>, to path: String) throws(CommandFailure) {
    guard let file = fopen(path, "we") else { throw failure(path) }
    var isWhole = true
    for line in lines where isWhole { isWhole = fputs(line + "\n", file) >= 0 }
    // What is still in its buffer is written now, and may be what the disk has no place for.
    let isClosed = fclose(file) == 0
    guard isWhole, isClosed else { throw failure(path) }
  }

  /// Writes what its owner alone may read; a file that was there before becomes such a one.
  ///
  /// Errors: ``CommandFailure`` when the file cannot be written.
  static func writeSecret(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    // The mode first: nobody may open the file between.
    guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0,
      Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    else { throw failure(path) }
  }

  private static func failure(_ path: String) -> CommandFailure {
    CommandFailure("\(path) cannot be written.", advice: "Name a file in a folder that exists.")
  }
}
