import AppStoreModel
import AppStoreSimulator
import Foundation
import Glibc
import LedgerServer
import Testing

@testable import clawback

/// Making a configuration and its keys, and what is refused on the way to a server.
final class SetUpTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let captured = CapturedConsole()
  private var config: String { folder.appending(path: "clawback.json5").path }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(CertificateAuthority(seed: 41).root.der).write(to: folder.appending(path: "root.der"))
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func run(_ words: String...) -> ExitCode {
    Dispatcher(commands: CommandList.all).run(
      words + ["--config", config], on: captured.console())
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }

  private func configure(_ rest: String = "", app: String = "") throws {
    let text = """
      {
        root: "root.der", environments: ["Sandbox"],
        apps: [{ bundleId: "com.example.app", \(app) }], \(rest)
      }
      """
    try Data(text.utf8).write(to: URL(filePath: config))
  }

  @Test func `paths in a configuration begin in its folder`() throws {
    try configure("database: 'sqlite:ledger.db'")
    #expect(run("init", "--bundle-id", "com.example.app") == .failure)
    let read = try ConfigurationFile.read(config)
    #expect(read.root == .file(path: folder.path + "/root.der"))
    #expect(read.database == "sqlite:\(folder.path)/ledger.db")
    try FileManager.default.removeItem(atPath: config)
    let root = folder.appending(path: "root.der").path
    #expect(run("init", "--bundle-id", "com.example.app", "--root", root) == .success)
    #expect(exists("clawback.db"))
  }

  @Test func `a path on the command line begins in the current folder`() throws {
    let here = "no-such-folder-of-clawback/root.der"
    #expect(run("init", "--bundle-id", "com.example.app", "--root", here) == .unusable)
    #expect(captured.diagnostics.contains(FileManager.default.currentDirectoryPath + "/" + here))
    #expect(!exists("clawback.json5"))
  }

  @Test(arguments: [["keys", "list"], ["keys", "create", "x"], ["quarantine", "list"]])
  func `what works on a ledger makes none`(words: [String]) throws {
    try configure()
    let code = Dispatcher(commands: CommandList.all).run(
      words + ["--config", config], on: captured.console())
    #expect(code == .unusable)
    #expect(captured.diagnostics.contains("There is no ledger at \(folder.path)/clawback.db"))
    #expect(!exists("clawback.db"))
    try configure("database: 'sqlite::memory:'")
    #expect(run("keys", "list") == .unusable)
    #expect(captured.diagnostics.contains("keeps the ledger in memory"))
  }

  @Test func `a configuration that was lost is made again beside its ledger`() throws {
    let root = folder.appending(path: "root.der").path
    let words = ["init", "--bundle-id", "com.example.app", "--root", root, "--config", config]
    for name in ["admin", "admin-2", "admin-3"] {
      let captured = CapturedConsole()
      let code = Dispatcher(commands: CommandList.all).run(words, on: captured.console())
      #expect(code == .success)
      #expect(captured.diagnostics.contains("The key '\(name)', shown this once:"))
      #expect(captured.diagnostics.contains("has a key 'admin'") == (name != "admin"))
      try FileManager.default.removeItem(atPath: config)
    }
    try configure()
    #expect(run("keys", "list") == .success)
    #expect(
      captured.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        == ["name", "admin", "admin-2", "admin-3"])
  }

  @Test func `while a server has the ledger the same roots are refused as without one`() throws {
    let root = folder.appending(path: "root.der").path
    #expect(run("init", "--bundle-id", "com.example.app", "--root", root) == .success)
    let others = ["missing.der", "garbage.der", "other.der"].map {
      folder.appending(path: $0).path
    }
    try Data("no certificate".utf8).write(to: URL(filePath: others[1]))
    try Data(CertificateAuthority(seed: 42).root.der).write(to: URL(filePath: others[2]))
    let standing = try ConfigurationFile.read(config)
    let refused = { [folder] in
      others.map { other in
        let captured = CapturedConsole()
        let code = Dispatcher(commands: CommandList.all).run(
          [
            "init", "--bundle-id", "com.example.app", "--root", other, "--config",
            folder.appending(path: "second.json5").path,
          ], on: captured.console())
        return (code != .success, captured.diagnostics, captured.output)
      }
    }
    let free = refused()
    let held = try HeldLedger(
      standing, socketPath: OpenedLedger.socketPath(of: standing), log: Log(descriptor: -1))
    let served = refused()
    #expect(run("keys", "list") == .success, "\(captured.diagnostics)")
    #expect(!captured.output.contains("admin-2"))
    held.close()
    for (one, other) in zip(free, served) {
      #expect(one.0 && other.0)
      #expect(one.2.isEmpty && other.2.isEmpty, "no secret is shown")
    }
    for place in 0..<2 { #expect(free[place].1 == served[place].1) }
    #expect(served[0].1.contains("missing.der cannot be read"))
    #expect(served[0].1.contains("--root, whose path begins in the current folder"))
    #expect(served[2].1.contains("a database of its own for each root of trust"))
    #expect(!exists("second.json5"))
  }

  @Test func `a key says for which environment it is, and how to get one for the other`() throws {
    let root = folder.appending(path: "root.der").path
    #expect(
      run("init", "--bundle-id", "com.example.app", "--app-apple-id", "7", "--root", root)
        == .success)
    #expect(captured.diagnostics.contains("It is for Production alone."))
    #expect(
      captured.diagnostics.contains(
        "clawback keys create NAME --scope admin --environment Sandbox --config \(config)"))
  }

  @Test func `a key whose secret could not be shown is ended, and the command says so`() throws {
    let root = folder.appending(path: "root.der").path
    let full = captured.console(loss: "No space left on device")
    let words = ["init", "--bundle-id", "com.example.app", "--root", root, "--config", config]
    #expect(Dispatcher(commands: CommandList.all).run(words, on: full) == .failure)
    #expect(
      captured.diagnostics.contains(
        "The secret of the key 'admin' could not be written (No space left on device)"))
    #expect(!exists("clawback.json5"))
    #expect(run("init", "--bundle-id", "com.example.app", "--root", root) == .success)
    let create = ["keys", "create", "backend", "--config", config]
    #expect(Dispatcher(commands: CommandList.all).run(create, on: full) == .failure)
    #expect(captured.diagnostics.contains("The secret of the key 'backend' could not be written"))
    let listed = CapturedConsole()
    let list = ["keys", "list", "--config", config]
    #expect(Dispatcher(commands: CommandList.all).run(list, on: listed.console()) == .success)
    let rows = listed.output.split(separator: "\n").map { $0.split(separator: " ") }
    let standing = rows.dropFirst().filter { $0.last == "-" }.map { $0[0] }
    #expect(standing == ["admin-2"])
  }

  @Test(arguments: [
    ("", "appStoreConnect: { keyFile: 'none.p8', keyId: 'K', issuerId: 'I' }", "none.p8"),
    ("", "appStoreConnect: { keyFile: 'root.der', keyId: 'K', issuerId: 'I' }", "root.der"),
    (
      "", "appStoreConnect: { keyFile: '/dev/zero', keyId: 'K', issuerId: 'I' }",
      "/dev/zero cannot be read: it is a pipe or a device"
    ),
    ("listen: { host: '0.0.0.0' }", "", "0.0.0.0"),
    ("listen: { host: 'example.com' }", "", "example.com"),
    ("listen: { certificate: 'no.pem', key: 'no.pem' }", "", "no.pem"),
    ("listen: { certificate: 'root.der', key: 'root.der' }", "", "root.der"),
    ("deniedLeafSerials: ['xyz']", "", "xyz"),
    ("database: 'mysql:x'", "", "mysql:x"),
    ("database: 'sqlite:root.der'", "", "not a ledger"),
    ("database: 'sqlite:none/x.db'", "", "none/x.db"),
    ("limits: { bodyBytes: 1 }", "", "limits"),
  ])
  func `a server that its configuration cannot start ends with 2 and says why`(
    rest: String, app: String, names: String
  ) throws {
    try configure(rest, app: app)
    #expect(run("serve") == .unusable)
    #expect(captured.diagnostics.contains(names))
    #expect(!exists("clawback.db"))
  }

  @Test func `a key file that is a pipe is not waited for, nor is one without end read`() throws {
    let pipe = folder.appending(path: "key.p8").path
    #expect(mkfifo(pipe, 0o600) == 0)
    try configure(app: "appStoreConnect: { keyFile: 'key.p8', keyId: 'K', issuerId: 'I' }")
    #expect(run("serve") == .unusable)
    #expect(captured.diagnostics.contains("key.p8 cannot be read: it is a pipe or a device"))
    unlink(pipe)
    try Data(repeating: UInt8(ascii: "A"), count: 2 << 20).write(to: URL(filePath: pipe))
    #expect(run("serve") == .unusable)
    #expect(captured.diagnostics.contains("key.p8 cannot be read: it is larger than 1 MiB"))
  }

  @Test func `a server without its root ends with 2`() throws {
    try configure()
    try FileManager.default.removeItem(at: folder.appending(path: "root.der"))
    #expect(run("serve") == .unusable)
    #expect(captured.diagnostics.contains("root.der cannot be read: No such file or directory"))
  }

  @Test(arguments: [["serve"], ["keys", "list"], ["report", "refunds"], ["webhooks", "list"]])
  func `without a configuration file every command says what makes one`(words: [String]) {
    let code = Dispatcher(commands: CommandList.all).run(
      words + ["--config", config], on: captured.console())
    #expect(code == .unusable)
    #expect(captured.diagnostics.contains("clawback.json5 cannot be read: No such file"))
    #expect(captured.diagnostics.contains("'clawback init --bundle-id ID' makes a configuration"))
  }
}
