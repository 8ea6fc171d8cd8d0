import AppStoreModel
import AppStoreVerification
import Glibc
import LedgerStorage
import SQLiteStorage
import Testing

@testable import clawback

/// Copies of a ledger, made while another process may write to it.
final class BackupCommandTests {
  private let samples: SignedSamples
  private let captured = CapturedConsole()
  private var database: String { samples.path("ledger.db") }

  init() throws {
    samples = try SignedSamples()
    let file = try samples.file("lines", samples.notifications.joined(separator: "\n"))
    let root = try samples.root
    #expect(run("replay", file, "--database", "sqlite:" + database, "--root", root) == .success)
  }

  deinit {
    for name in ["ledger.db", "copy.db", "again.db"] {
      for suffix in ["", "-wal", "-shm", ".lock"] { samples.remove(name + suffix) }
    }
  }

  private func run(_ words: String...) -> ExitCode {
    Dispatcher(commands: CommandList.all).run(words, on: captured.console())
  }

  private func digest(_ path: String) throws -> String {
    let realm = try RootOption.read(samples.root).realm
    let ledger = try LedgerOpening.open("sqlite:" + path, realm: realm, now: SignedSamples.begin)
    defer { ledger.store.close() }
    return try ledger.makeReader().digest()
  }

  @Test func `a backup under a writing process is the ledger of that moment`() throws {
    let copy = samples.path("copy.db")
    do {
      let realm = try RootOption.read(samples.root).realm
      let ledger = try LedgerOpening.open(
        "sqlite:" + database, realm: realm, now: SignedSamples.begin)
      defer { ledger.store.close() }
      #expect(run("backup", copy, "--database", "sqlite:" + database, "--json") == .success)
    }
    #expect(captured.output.contains("\"facts\":"))
    var status = stat()
    #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try digest(copy) == digest(database))
  }

  @Test func `a backup is restored where no ledger is, and nothing is ever overwritten`() throws {
    let copy = samples.path("copy.db")
    let before = try digest(database)
    #expect(run("backup", copy, "--database", "sqlite:" + database) == .success)
    #expect(run("backup", copy, "--database", "sqlite:" + database) == .unusable)
    #expect(captured.diagnostics.contains("nothing is written: \(copy) is there"))
    #expect(run("backup", copy + ".d/x.db", "--database", "sqlite:" + database) == .unusable)
    #expect(captured.diagnostics.contains("Make the folder first"))
    #expect(run("restore", copy, "--database", "sqlite:" + database) == .unusable)
    #expect(captured.diagnostics.contains("stop the server and move the ledger away first"))
    for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
    #expect(run("restore", copy, "--database", "sqlite:" + database) == .success)
    #expect(try digest(database) == before)
  }

  @Test func `what is no ledger is neither backed up nor restored`() throws {
    let copy = samples.path("copy.db")
    let text = try samples.file("text", String(repeating: "no database ", count: 900))
    #expect(run("backup", copy, "--database", "sqlite:" + text) == .unusable)
    #expect(run("restore", samples.path("none"), "--database", "sqlite:" + copy) == .unusable)
    #expect(captured.diagnostics.contains("there is no ledger at"))
    #expect(run("backup", copy, "--database", "sqlite::memory:") == .unusable)
    #expect(access(copy, F_OK) != 0)
  }

  @Test func `a copy that cannot be written says that the ledger is sound`() {
    #expect(run("backup", "/dev/full/copy.db", "--database", "sqlite:" + database) == .unusable)
    #expect(captured.diagnostics.contains("the copy at /dev/full/copy.db cannot be written: Not a"))
    #expect(captured.diagnostics.contains("the ledger is as it was"))
    #expect(!captured.diagnostics.contains("restore the last backup"))
  }

  @Test func `a ledger that cannot be read at the moment is not called damaged`() throws {
    let copy = samples.path("copy.db")
    // SQLite cannot make its shared memory where a link to nothing stands, as on a read-only disk.
    for suffix in ["-wal", "-shm"] { unlink(database + suffix) }
    symlink("nowhere/none", database + "-shm")
    #expect(run("backup", copy, "--database", "sqlite:" + database) == .unusable)
    #expect(captured.diagnostics.contains("the database cannot be opened: "))
    #expect(captured.diagnostics.contains("-shm and -wal"))
    #expect(!captured.diagnostics.contains("restore the last backup"))
    #expect(access(copy, F_OK) != 0)
  }
}
