import AppStoreModel
import AppStoreSimulator
import ContractSupport
import Foundation
import Testing

/// `clawback simulate` as a process of its own, and a backend that is not ours.
struct ServedStoryTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  @Test func `a served story tells how to call it, and stops when told to`() throws {
    let output = Pipe()
    let process = try ServedProcess.command(
      ["simulate", "05-refund-reversed", "--port", "0", "--json"], output)
    try process.run()
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    let line = try #require(ServedProcess.line(output.fileHandleForReading))
    #expect(try JSONSchema("simulate-served").findings(in: line) == [])
    let story = try JSONValue(json: Array(line.utf8))
    let url = try #require(story["url"]?.string)
    #expect(story["sandboxUrl"]?.string == url + "/sandbox")
    #expect(story["keyId"]?.string == APIKey(seed: 1).keyId)
    #expect(story["issuerId"]?.string == APIKey(seed: 1).issuerId)
    #expect(story["privateKey"]?.string == APIKey(seed: 1).key.pem)
    let connection = try HTTPConnection()
    #expect(try connection.get(url + "/sandbox/control/transactions").status == 200)
    #expect(try connection.get(url + "/inApps/v1/transactions/1").status == 401)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `without a program to read it the key is printed as text`() throws {
    let output = Pipe()
    let process = try ServedProcess.command(["simulate", "1", "--port", "0"], output)
    try process.run()
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    var lines: [String] = []
    while let line = ServedProcess.line(output.fileHandleForReading) {
      lines.append(line)
      if line == "-----END PRIVATE KEY-----" { break }
    }
    #expect(lines.first?.hasPrefix("production") == true)
    #expect(lines.contains { $0.hasPrefix("issuer id") })
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `a port that is taken is refused`() throws {
    let output = Pipe()
    let process = try ServedProcess.command(["simulate", "1", "--port", "0", "--json"], output)
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    let line = try #require(ServedProcess.line(output.fileHandleForReading))
    let url = try JSONValue(json: Array(line.utf8))["url"]?.string ?? ""
    let port = String(url.split(separator: ":").last ?? "")
    let second = try ServedProcess.run(["simulate", "1", "--port", port])
    #expect(second.code == 1)
    #expect(second.diagnostics.contains("Port \(port) cannot be bound."))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `the README's receiver hears of a refund`() throws {
    let readme = try String(
      contentsOf: Self.package.appending(path: "README.md"), encoding: .utf8)
    #expect(
      readme.contains(
        """
        python3 Examples/receiver.py &
        ./clawback simulate 18 --to http://127.0.0.1:8000/
        """))
    let program = try String(
      contentsOf: Self.package.appending(path: "Examples/receiver.py"), encoding: .utf8)
    let port = try Self.freePort()
    let output = Pipe()
    let receiver = Process()
    receiver.executableURL = URL(filePath: "/usr/bin/python3")
    receiver.arguments = ["-c", program.replacing("8000", with: String(port))]
    receiver.standardOutput = output
    receiver.standardError = FileHandle.nullDevice
    try receiver.run()
    defer { kill(receiver.processIdentifier, SIGKILL) }
    let url = "http://127.0.0.1:\(port)/"
    try Self.awaitAnswer(url)
    let told = try ServedProcess.run(["simulate", "18", "--to", url])
    #expect(told.code == 0, "\(told.diagnostics)")
    var heard: [String] = []
    while heard.last?.hasPrefix("REFUND") != true,
      let line = ServedProcess.line(output.fileHandleForReading)
    {
      heard.append(line)
    }
    #expect(heard.first == "SUBSCRIBED INITIAL_BUY")
    #expect(heard.contains { $0.hasPrefix("CONSUMPTION_REQUEST") })
    #expect(heard.last == "REFUND ")
  }

  /// A port that nobody uses at the moment.
  private static func freePort() throws -> UInt16 {
    let store = SimulatedAppStore(seed: 1)
    let server = SimulatedServer(
      store, seed: 1, signer: JWSSigner(CertificateAuthority(seed: 1)),
      at: SimulatorListener.wallClock())
    let listener = try #require(SimulatorListener(server))
    defer { listener.stop() }
    return listener.port
  }

  /// Waits until somebody answers, whatever it is.
  private static func awaitAnswer(_ url: String) throws {
    let end = ContinuousClock.now + .seconds(30)
    let connection = try HTTPConnection(timeoutMilliseconds: 1_000)
    while ContinuousClock.now < end {
      if (try? connection.get(url)) != nil { return }
    }
    Issue.record("the receiver did not start")
  }
}
