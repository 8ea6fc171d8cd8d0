import AppStoreModel
import AppStoreSimulator
import Foundation
import Testing

/// What an operator does from the command line, with a server and without one.
struct OperatingTests {
  private let store: BusyStore
  private let site: ServedSite

  init() throws {
    store = try BusyStore(customers: 1)
    site = try store.site()
  }

  private var socket: String { site.folder.appending(path: "ledger.db.socket").path }

  private func run(_ words: String...) throws -> (code: Int32, output: String, diagnostics: String)
  {
    try ServedProcess.run(words + ["--config", site.configuration])
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test func `keys are made, listed and ended while a server runs, and count at once`() throws {
    let served = try ServedProcess(site)
    #expect(try mode(socket) == 0o600)
    let secret = try site.key("backend", scope: "read", app: store.app.bundleId)
    #expect(try served.get("/v1/events", key: secret) == #"{"events":[],"next":0}"#)
    let again = try run("keys", "create", "backend")
    #expect(again.code == 1)
    #expect(again.diagnostics.contains("A key named backend was made before."))
    #expect(again.diagnostics.contains("Choose another name"))
    let listed = try run("keys", "list").output.split(separator: "\n")
    #expect(
      listed.map { $0.split(separator: " ").prefix(4).joined(separator: " ") } == [
        "name scope environment apps", "backend read Sandbox com.example.app",
      ])
    #expect(listed.last?.hasSuffix("Z  -") == true, "it was made and not revoked")
    #expect(try run("keys", "revoke", "backend").code == 0)
    #expect(try served.status("/v1/events", key: secret) == 401)
    #expect(try run("keys", "revoke", "backend").code == 1)
    let ended = try run("keys", "list").output
    #expect(ended.hasSuffix("Z\n"), "the moment of its end")
    #expect(served.stop() == 0)
    #expect(!FileManager.default.fileExists(atPath: socket))
    #expect(try run("keys", "list").output == ended)
  }

  @Test func `what was refused for the configuration is taken after it was mended`() throws {
    try site.rewrite("", apps: [.init(bundleId: "com.other", appAppleId: 5)])
    var served = try ServedProcess(site)
    #expect(try served.post(store.notifications[0]) == 403)
    #expect(try served.post(store.notifications[0]) == 403)
    #expect(try served.post("a.b.c") == 400)
    let listed = try run("quarantine", "list").output.split(separator: "\n")
    #expect(listed.count == 3)
    #expect(
      listed.first?.hasPrefix("received                  channel       sha256        body     rule")
        == true)
    #expect(listed.dropFirst().first?.contains("  kept     ") == true)
    #expect(listed.last?.contains("  excerpt  ") == true)
    let left = try run("quarantine", "retry").output.split(separator: "\n")
    #expect(left.first == "taken 0, left 2")
    #expect(left.dropFirst().contains { $0.contains("-id: it is for another app") })
    #expect(left.dropFirst().contains { $0.contains("  only an excerpt was kept") })
    #expect(served.stop() == 0)
    try site.rewrite("")
    served = try ServedProcess(site)
    let retried = try run("quarantine", "retry", "--json")
    #expect(retried.output.hasPrefix(#"{"taken":1,"left":1,"items":[{"sha256":""#))
    #expect(try run("quarantine", "list").output.split(separator: "\n").count == 2)
    #expect(served.stop() == 0)
    #expect(try site.inspect { try $0.notificationTexts() } == [store.notifications[0]])
  }

  @Test func `a ledger in use is refused, and its holder named`() throws {
    let served = try ServedProcess(site)
    let second = try run("serve")
    #expect(second.code == 1)
    let holder = "'clawback serve' (process \(served.processID)) writes to this database"
    #expect(second.diagnostics.contains(holder))
    let root = site.folder.appending(path: "root.der").path
    let replayed = try ServedProcess.run([
      "replay", "/dev/null", "--database", "sqlite:" + site.database, "--root", root,
    ])
    #expect(replayed.code == 2)
    #expect(replayed.diagnostics.contains("it listens at \(socket)"))
    try FileManager.default.removeItem(atPath: socket)
    let unheard = try run("keys", "list")
    #expect(unheard.code == 1)
    #expect(unheard.diagnostics.contains("writes to this database"))
    #expect(served.stop() == 0)
  }

  @Test func `a socket that a killed server left behind is in nobody's way`() throws {
    var served = try ServedProcess(site)
    served.crash()
    #expect(FileManager.default.fileExists(atPath: socket))
    #expect(try run("keys", "list").code == 0)
    served = try ServedProcess(site)
    #expect(try run("keys", "list").code == 0)
    #expect(served.stop() == 0)
  }

  @Test func `a file in the socket's place is left alone`() throws {
    let note = site.folder.appending(path: "note")
    try Data("mine".utf8).write(to: note)
    try site.rewrite("socket: \"\(note.path)\"")
    let refused = try run("serve")
    #expect(refused.code == 1)
    #expect(refused.diagnostics.contains("\(note.path) cannot be used"))
    #expect(try String(contentsOf: note, encoding: .utf8) == "mine")
  }
}
