import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// What `simulate --port` prints for Apple's own libraries.
struct ClientLinesTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL
  private static let python = package.appending(path: ".build/apple-library/bin/python").path

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: python),
      "Apple's library is not here: scripts/apple-library.sh installs it."),
    arguments: ["Sandbox", "Production"])
  func `the lines for Python let Apple's client ask as they are printed`(
    environment: String
  ) throws {
    let key = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".p8")
    defer { try? FileManager.default.removeItem(at: key) }
    let output = Pipe()
    let process = try ServedProcess.command(
      [
        "simulate", "04", "--port", "0", "--key-out", key.path, "--environment", environment,
      ], output)
    try process.run()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    var lines: [String] = []
    while let line = ServedProcess.line(output.fileHandleForReading) {
      lines.append(line)
      if line.hasPrefix("let client = ") { break }
    }
    let heading = try #require(lines.firstIndex(of: "Apple's library for Python:"))
    let program = lines[heading...].dropFirst().prefix(3)
    let url = try #require(
      lines.first { $0.hasPrefix(environment.lowercased()) }?.split(separator: " ").last)
    let sold = try HTTPConnection().post(
      #"{"product":"coins","customer":"zoe"}"#, to: url + "/control/buy")
    let id = try #require(try JSONValue(json: sold.body)["transactionId"]?.string)
    let asked =
      program + ["print(client.get_transaction_info(\"\(id)\").signedTransactionInfo[:3])"]
    #expect(try Self.run(asked.joined(separator: "\n")) == "eyJ\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: key.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let begin = try #require(lines.firstIndex(of: "-----BEGIN PRIVATE KEY-----"))
    let end = try #require(lines.firstIndex(of: "-----END PRIVATE KEY-----"))
    #expect(
      try String(contentsOf: key, encoding: .utf8) == lines[begin...end].joined(separator: "\n")
        + "\n")
  }

  private static func run(_ program: String) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-c", program]
    process.standardOutput = output
    try process.run()
    let words = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: words, as: UTF8.self)
  }
}
