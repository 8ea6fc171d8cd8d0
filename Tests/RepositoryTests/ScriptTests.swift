import Foundation
import Testing

/// The scripts around the build, run with samples and with stand-ins for the system's commands.
struct ScriptTests {
  private struct Result {
    let code: Int32
    let output: String
    let diagnostics: String
  }

  private func bash(_ script: String, path: String? = nil) throws -> Result {
    let process = Process()
    let output = Pipe()
    let diagnostics = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = Repository.root
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = diagnostics
    if let path { process.environment = ["PATH": path, "HOME": "/nonexistent"] }
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let noted = diagnostics.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      code: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
      diagnostics: String(decoding: noted, as: UTF8.self))
  }

  /// A folder of commands: stand-ins by name and body, and links to real ones.
  private func commands(_ standIns: [String: String], linking real: [String]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "clawback-scripts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, body) in standIns {
      let file = folder.appending(path: name)
      try Data("#!/bin/bash\n\(body)\n".utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
    for name in real {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: name).path, withDestinationPath: "/usr/bin/\(name)")
    }
    return folder
  }

  @Test(arguments: ["clawback", "test", ".ci/run", "scripts/prepare.sh", "scripts/coverage.sh"])
  func `a script can be read by bash`(path: String) throws {
    #expect(try bash("bash -n \(path)").code == 0)
  }

  @Test(arguments: ["clawback", "test", ".ci/run", "scripts/coverage.sh"])
  func `a script can be run`(path: String) {
    let file = Repository.root.appending(path: path).path
    #expect(FileManager.default.isExecutableFile(atPath: file))
  }

  @Test func `without root and sudo the missing packages are named`() throws {
    let folder = try commands(
      ["dpkg-query": "exit 1", "id": "echo 1000"], linking: ["sort", "tail", "basename"])
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try bash(
      ". scripts/prepare.sh; set -euo pipefail; find_packages", path: folder.path)
    #expect(result.code == 3)
    #expect(result.output == "")
    #expect(result.diagnostics.hasPrefix("These packages are missing, and without root or sudo"))
    for package in ["libmicrohttpd-dev", "libssl-dev", "libsqlite3-dev", "libstdc++-"] {
      #expect(result.diagnostics.contains(package))
    }
  }

  @Test func `what is installed is not asked for`() throws {
    let folder = try commands(["dpkg-query": "echo -n installed"], linking: [])
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = ". scripts/prepare.sh; installed_gcc() { echo 12; }; find_packages"
    let result = try bash(script, path: folder.path)
    #expect(result.code == 0)
    #expect(result.diagnostics == "")
  }

  @Test func `without a toolchain the next step is named`() throws {
    let folder = try commands([:], linking: [])
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = ". scripts/prepare.sh; find_swift /nowhere"
    let result = try bash(script, path: folder.path)
    #expect(result.code == 3)
    #expect(result.diagnostics.contains("https://www.swift.org/install/linux/"))
  }

  @Test(arguments: [
    (96, 86, Int32(0)), (95, 86, 1), (96, 85, 1), (100, 100, 0),
  ])
  func `coverage has to be above the goals`(core: Int, rest: Int, code: Int32) throws {
    let files = [
      ("Sources/AppStoreModel/A.swift", core), ("Sources/clawback/B.swift", rest),
      ("Tests/AppStoreModelTests/C.swift", 0),
    ]
    let entries = files.map { path, covered in
      """
      {"branches":[],"filename":"/x/\(path)","segments":[[1,1]],"summary":\
      {"functions":{"count":1,"covered":1},"lines":{"count":100,"covered":\(covered),"percent":1}}}
      """
    }
    let file = FileManager.default.temporaryDirectory
      .appending(path: "clawback-coverage-\(UUID().uuidString).json")
    try Data("{\"data\":[{\"files\":[\(entries.joined(separator: ","))]}]}".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try bash("scripts/coverage.sh \(file.path)")
    #expect(result.code == code)
    #expect(result.output.contains("model, verification and ledger"))
    #expect(result.output.contains("of    200 lines (goal: above 85 %)"))
  }
}
