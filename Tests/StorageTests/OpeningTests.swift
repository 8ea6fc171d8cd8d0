import AppStoreModel
import AppStoreSimulator
import EntitlementLedger
import Foundation
import Glibc
import LedgerStorage
import SQLiteStorage
import Testing

/// Which files are opened, and which are left alone.
final class OpeningTests {
  private let path = TestStore.newPath()

  deinit {
    TestStore.remove(path)
  }

  private func open(realm: Realm = .apple) throws(StoreOpeningError) -> SQLiteStore {
    try SQLiteStore(
      .file(path: path), realm: realm, socketPath: "/run/ledger.sock",
      now: Timestamp(millisecondsSince1970: 0))
  }

  private func write(_ text: String) {
    let file = fopen(path, "w")
    fputs(text, file)
    fclose(file)
  }

  @Test func `another realm is refused`() throws {
    let other = Realm.test(fingerprint: String(repeating: "b", count: 64))
    do { _ = try open() }
    #expect(throws: StoreOpeningError.otherRealm(stored: .apple, asked: other)) {
      try self.open(realm: other)
    }
    _ = try open()
  }

  @Test func `a second writer is refused and told who has the file`() throws {
    let first = try open()
    let holder = LockHolder(processID: getpid(), socketPath: "/run/ledger.sock")
    #expect(throws: StoreOpeningError.lockedByAnother(holder)) { try self.open() }
    first.close()
  }

  @Test(arguments: [
    (nil, nil, "process 7 writes to this database"),
    ("keys create", nil, "'clawback keys create' (process 7) writes to this database"),
    (nil, "/s", "process 7 writes to this database; it listens at /s"),
    ("serve", "/s", "'clawback serve' (process 7) writes to this database; it listens at /s"),
  ])
  func `whoever has the file is named as far as it says who it is`(
    command: String?, socketPath: String?, text: String
  ) {
    let holder = LockHolder(processID: 7, socketPath: socketPath, command: command)
    #expect(StoreOpeningError.lockedByAnother(holder).description == text)
  }

  @Test func `a writer signs the lock with what it runs, and wipes it at its end`() throws {
    do {
      let store = try SQLiteStore(
        .file(path: path), realm: .apple, command: "reconcile", now: Signed.at(0))
      let holder = LockHolder(processID: getpid(), socketPath: nil, command: "reconcile")
      #expect(throws: StoreOpeningError.lockedByAnother(holder)) { try self.open() }
      store.close()
    }
    let left = try String(contentsOfFile: path + ".lock", encoding: .utf8)
    #expect(left == "\n\nledger\n\n")
  }

  @Test func `a link to a ledger is the ledger: one writer, whatever it is called`() throws {
    let link = path + ".link"
    defer { unlink(link) }
    let first = try open()
    symlink(path, link)
    #expect(throws: StoreOpeningError.self) {
      try SQLiteStore(.file(path: link), realm: .apple, now: Signed.at(0))
    }
    first.close()
    let named = try SQLiteAddress.file(path: path).resolved()
    let linked = try SQLiteAddress.file(path: link).resolved()
    #expect(linked == named)
  }

  @Test func `a ledger deleted under a link takes nothing more`() throws {
    let link = path + ".link"
    defer { unlink(link) }
    do { _ = try open() }
    symlink(path, link)
    let store = try SQLiteStore(.file(path: link), realm: .apple, now: Signed.at(0))
    for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    #expect(throws: StoreError.unlinked) { try store.check() }
    let ledger = Ledger(store: store)
    let delivery = try Signed.delivery(Signed.transaction("1"))
    #expect(throws: StoreError.unlinked) {
      try ledger.wait { ledger.record([delivery], completion: $0) }
    }
  }

  @Test func `a ledger with a second name is refused, and so is a link to nothing`() throws {
    let link = path + ".link"
    defer { unlink(link) }
    symlink(path, link)
    #expect(throws: StoreOpeningError.unreadable(detail: "\(link) is a link to nothing")) {
      try SQLiteStore(.file(path: link), realm: .apple, now: Signed.at(0))
    }
    unlink(link)
    do { _ = try open() }
    Glibc.link(path, link)
    #expect(
      throws: StoreOpeningError.unreadable(detail: "\(path) has a second name, a hard link")
    ) { try self.open() }
  }

  @Test func `a file that is no ledger is refused`() throws {
    write(String(repeating: "this is not a database ", count: 500))
    #expect(throws: StoreOpeningError.notALedger(detail: "\(path) is no database of SQLite's")) {
      try self.open()
    }
    #expect(access(path + ".lock", F_OK) != 0)
  }

  @Test(arguments: ["/dev/null", "/dev/zero", "/tmp"])
  func `nothing is put beside what is no file`(place: String) {
    #expect(throws: StoreOpeningError.unreadable(detail: "\(place) is no file")) {
      try SQLiteStore(.file(path: place), realm: .apple, now: Signed.at(0))
    }
    for suffix in [".lock", "-journal", "-wal"] { #expect(access(place + suffix, F_OK) != 0) }
  }

  @Test(arguments: [true, false])
  func `a ledger that was cut off to nothing is not begun anew`(isCrashed: Bool) throws {
    do {
      let store = try open()
      try copy(path + "-wal", to: path + ".kept")
      store.close()
    }
    if isCrashed { rename(path + ".kept", path + "-wal") }
    truncate(path, 0)
    #expect(throws: StoreOpeningError.emptied(path: path)) { try self.open() }
    #expect(throws: StoreOpeningError.emptied(path: path)) { try self.open() }
    for suffix in ["", "-wal", ".lock", ".kept"] { unlink(path + suffix) }
    _ = try open()
  }

  @Test func `a log without its ledger is not thrown away`() throws {
    do {
      let store = try open()
      try copy(path + "-wal", to: path + ".kept")
      store.close()
    }
    unlink(path)
    rename(path + ".kept", path + "-wal")
    #expect(throws: StoreOpeningError.emptied(path: path)) { try self.open() }
    #expect(access(path + "-wal", F_OK) == 0)
  }

  @Test func `an empty file that was never a ledger becomes one`() throws {
    write("")
    _ = try open()
  }

  private func copy(_ from: String, to: String) throws {
    let bytes = try Data(contentsOf: URL(filePath: from))
    try bytes.write(to: URL(filePath: to))
  }

  @Test func `a database of another program is refused`() throws {
    try alter("CREATE TABLE notes (text TEXT)")
    #expect(
      throws: StoreOpeningError.notALedger(detail: "it has tables of another program")
    ) { try self.open() }
  }

  @Test func `a ledger of a newer version is refused`() throws {
    do { _ = try open() }
    try alter("INSERT INTO migrations VALUES (99, 'of tomorrow', 0)")
    #expect(throws: StoreOpeningError.newer(migration: "of tomorrow")) { try self.open() }
  }

  @Test func `a directory that is not there is refused`() {
    #expect(throws: StoreOpeningError.self) {
      try SQLiteStore(
        .file(path: "/nonexistent/ledger"), realm: .apple,
        now: Timestamp(millisecondsSince1970: 0))
    }
  }

  @Test(arguments: 1..<Migration.all.count)
  func `a ledger of every earlier step is brought up to date`(step: Int) throws {
    do {
      let session = try SQLiteSession.open(path)
      try Migrator(session: session, migrations: Array(Migration.all[..<step]))
        .open(realm: .apple, now: Signed.at(0))
    }
    let store = try TestStore(path: path)
    try store.record(Signed.delivery(Signed.transaction("1", token: "anna")))
    #expect(try store.reader.counts().chains == 1)
  }

  @Test func `a new file is its owner's alone, with what stands beside it`() throws {
    let path = TestStore.newPath()
    defer { TestStore.remove(path) }
    let old = umask(0)
    let store = try TestStore(path: path)
    umask(old)
    try store.record(Signed.delivery(Signed.transaction("1")))
    for suffix in ["", "-wal", "-shm", ".lock"] {
      var status = stat()
      #expect(stat(path + suffix, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(suffix)")
    }
  }

  @Test func `what was stored is there after opening again`() throws {
    var digest = ""
    do {
      let store = try TestStore(path: path)
      var dice = SeededGenerator(seed: 3)
      for delivery in try RandomDeliveries.make(&dice) { try store.record(delivery) }
      digest = try store.reader.digest()
    }
    let store = try TestStore(path: path)
    #expect(try store.reader.digest() == digest)
  }

  @Test(arguments: [
    ("sqlite::memory:", SQLiteAddress.memory), (":memory:", .memory),
    ("sqlite:/a/b", .file(path: "/a/b")), ("b.sqlite", .file(path: "b.sqlite")),
  ])
  func `addresses are read`(text: String, address: SQLiteAddress) throws {
    #expect(try SQLiteAddress(text) == address)
  }

  @Test(arguments: ["", "sqlite:", "postgres://host/db"])
  func `other addresses are refused`(text: String) {
    #expect(throws: StoreOpeningError.unknownAddress(text)) { try SQLiteAddress(text) }
  }

  @Test func `every error says what to do`() {
    let errors: [StoreOpeningError] = [
      .unknownAddress("x"), .lockedByAnother(nil),
      .lockedByAnother(LockHolder(processID: 7, socketPath: nil)),
      .lockedByAnother(LockHolder(processID: 7, socketPath: "/s")), .unreadable(detail: "d"),
      .uncopied(to: "x", detail: "d"), .occupied(path: "x"), .noFolder(path: "x"),
      .notALedger(detail: "d"),
      .otherRealm(stored: .apple, asked: .apple), .newer(migration: "m"),
    ]
    #expect(errors.filter(\.isTransient).count == 3)
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(errors.allSatisfy { $0.advice.hasSuffix(".") })
    let failures: [StoreError] = [
      .closed, .busy(waiting: 3), .unlinked, .full, .unavailable(detail: "d"),
      .damaged(detail: "d"), .inconsistent(detail: "d"),
    ]
    #expect(failures.map(\.isTransient) == [true, true, true, true, true, false, false])
    #expect(Set(failures.map(\.description)).count == failures.count)
    #expect(failures.allSatisfy { $0.advice.hasSuffix(".") })
  }

  private func alter(_ statement: String) throws {
    try SQLiteSession.open(path).run(SQLStatement(statement), [])
  }
}
