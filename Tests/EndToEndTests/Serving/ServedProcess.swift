import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// `clawback serve` as a process of its own, which a test may stop or kill.
final class ServedProcess {
  let url: String
  private let process: Process
  private let connection: HTTPConnection

  /// Starts the command that was built beside the tests, and waits until it tells its address.
  ///
  /// - Parameters:
  ///   - site: Its configuration and ledger.
  ///   - environment: Variables beside those of the tests.
  ///   - greatestFile: How large a file it may write grows, in KiB: beyond that writing fails, as it
  ///     does where a disk is full.
  /// - Throws: What keeps it from starting.
  init(
    _ site: ServedSite, environment: [String: String] = [:], greatestFile: Int? = nil
  ) throws {
    let output = Pipe()
    process = try ServedProcess.command(["serve", "--config", site.configuration], output)
    if let greatestFile { ServedProcess.bound(process, toFilesOf: greatestFile) }
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { $1 }
    process.standardError = try FileHandle(forWritingTo: site.log)
    try process.run()
    let line = ServedProcess.line(output.fileHandleForReading)
    url = try #require(line, "the server did not start: \(site.logged)")
    connection = try HTTPConnection()
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Runs another command to its end.
  static func run(_ words: [String]) throws -> (code: Int32, output: String, diagnostics: String) {
    let output = Pipe()
    let diagnostics = Pipe()
    let process = try command(words, output)
    process.standardError = diagnostics
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let noted = diagnostics.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: said, as: UTF8.self),
      String(decoding: noted, as: UTF8.self)
    )
  }

  /// `kill -9`: nothing is said goodbye to.
  func crash() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks it to stop, and waits for its exit code.
  func stop() -> Int32 {
    beginStopping()
    return exitCode()
  }

  /// Waits for its end.
  func exitCode() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Asks it to stop, without waiting.
  func beginStopping() { process.terminate() }

  var processID: Int32 { process.processIdentifier }
  var port: UInt16 { url.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

  func post(_ jws: String) throws -> Int {
    try connection.post("{\"signedPayload\":\"\(jws)\"}", to: url + "/apple/notifications").status
  }

  func post(_ path: String, _ body: String, key: String) throws -> Int {
    try connection.post(body, to: url + path, headers: ["Authorization: Bearer " + key]).status
  }

  func put(_ path: String, _ body: String, key: String) throws -> Int {
    try connection.put(body, to: url + path, headers: ["Authorization: Bearer " + key]).status
  }

  func status(_ path: String, key: String) throws -> Int {
    try connection.get(url + path, headers: ["Authorization: Bearer " + key]).status
  }

  func get(_ path: String, key: String) throws -> String {
    let answer = try connection.get(url + path, headers: ["Authorization: Bearer " + key])
    #expect(answer.status == 200, "\(path)")
    return String(decoding: answer.body, as: UTF8.self)
  }

  static func command(_ words: [String], _ output: Pipe) throws -> Process {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let process = Process()
    process.executableURL = folder.appending(path: "clawback")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    return process
  }

  private static func bound(_ process: Process, toFilesOf kibibytes: Int) {
    let words = [process.executableURL?.path ?? ""] + (process.arguments ?? [])
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments =
      [
        "-c", "trap '' XFSZ; ulimit -f \(kibibytes); exec \"$0\" \"$@\"",
      ] + words
  }

  static func line(_ handle: FileHandle) -> String? {
    var bytes = Data()
    while let byte = try? handle.read(upToCount: 1), !byte.isEmpty {
      if byte[byte.startIndex] == 0x0A { return String(decoding: bytes, as: UTF8.self) }
      bytes += byte
    }
    return nil
  }
}
