import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// Other commands while `reconcile` or `import` works on a ledger without a server.
struct HeldLedgerTests {
  private let asked: AskedStore

  init() throws {
    asked = try AskedStore(
      "{ environment: 'production', steps: [{ buy: 'themes', by: 'ada' }, { after: '3h', wait: '0s' }] }",
      "reconciliation: { scheduled: false, workers: 2 }", hasReceiver: false)
    // The first questions of either are not answered, so that the work lasts.
    for endpoint in ["notificationHistory", "transactionInfo"] {
      asked.control("fail", "{\"endpoint\":\"\(endpoint)\",\"hang\":true,\"count\":1000}")
    }
  }

  /// A command that works on the ledger until it is killed.
  private func holding(
    _ words: [String], _ body: (_ process: Int32) async throws -> Void
  ) async throws {
    let output = Pipe()
    let process = try ServedProcess.command(
      words + ["--config", asked.site.configuration], output)
    process.standardError = output
    try process.run()
    defer {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
    }
    try await asked.until("\(words[0]) asks") {
      self.asked.listener.withServer { server, _ in !server.journal.entries.isEmpty }
        || !process.isRunning
    }
    #expect(process.isRunning)
    try await body(process.processIdentifier)
  }

  private func run(_ words: String...) throws -> (code: Int32, output: String, diagnostics: String)
  {
    try ServedProcess.run(words + ["--config", asked.site.configuration])
  }

  private func words(_ command: String) throws -> [String] {
    guard command == "import" else { return [command] }
    let file = asked.site.folder.appending(path: "customers.csv")
    try Data("transactionId,customer,bundleId\n1,ada,\(asked.app.bundleId)\n".utf8).write(to: file)
    return [command, file.path]
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["reconcile", "import"])
  func `reports, keys and quarantine are answered by who holds the ledger`(
    command: String
  ) async throws {
    let socket = asked.site.database + ".socket"
    try await holding(try words(command)) { process in
      let attributes = try FileManager.default.attributesOfItem(atPath: socket)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let coverage = try run("report", "coverage", "--json")
      #expect(coverage.code == 0, "\(coverage.diagnostics)")
      #expect(coverage.output.contains(#""environment":"Production""#))
      #expect(try run("report", "gaps").code == 0)
      #expect(try run("report", "signals").code == 0)
      #expect(try run("quarantine", "list").code == 0)
      let made = try run("keys", "create", "k", "--scope", "read", "--environment", "Production")
      #expect(made.code == 0, "\(made.diagnostics)")
      #expect(try run("keys", "list").output.contains("k  "))
      let second = try run("serve", "--port", "0")
      #expect(second.code == 1)
      let holder = "'clawback \(command)' (process \(process)) writes to this database"
      #expect(second.diagnostics.contains(holder + "; it listens at " + socket))
      let doctor = try run("doctor", "--wait", "1", "--json")
      #expect(doctor.code == 1)
      #expect(doctor.output.contains(#""check":"server","level":"failed""#))
      #expect(doctor.output.contains(holder))
    }
    let after = try run("report", "coverage", "--json")
    #expect(after.code == 0, "what a killed process left is in nobody's way: \(after.diagnostics)")
  }
}
