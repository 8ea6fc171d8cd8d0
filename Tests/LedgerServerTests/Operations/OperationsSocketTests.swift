import AppStoreModel
import AppStoreSimulator
import Glibc
import HTTPListener
import Testing

@testable import LedgerServer

/// The socket by which an operator's commands reach a running server.
struct OperationsSocketTests {
  private let folder: TestFolder
  private var path: String { folder.file("operations") }

  init() throws { folder = try TestFolder() }

  private static let unknown =
    #"{"error":"There is no such command.","code":"badParameter","advice":"Another version of this "#
    + #"program holds the ledger: restart it with this one."}"#

  private func serving(_ body: (ServedLedger) throws -> Void) throws {
    let served = try ServedLedger { $0.socketPath = path }
    defer { served.stop() }
    try body(served)
  }

  private func ask(_ json: String) throws -> String {
    String(decoding: try #require(LocalSocket.ask(Array(json.utf8), at: path)), as: UTF8.self)
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  @Test func `only its owner may open it, and it goes with the server`() throws {
    try serving { _ in
      #expect(mode(path) == S_IFSOCK | 0o600)
    }
    #expect(mode(path) == nil)
    #expect(LocalSocket.ask(Array("{}".utf8), at: path) == nil)
  }

  @Test(
    .enabled(
      if: geteuid() == 0 && access("/usr/bin/python3", X_OK) == 0,
      "only root can act as another user, and does it here in Python"))
  func `other users are turned away even where the mode would let them in`() async throws {
    try serving { _ in
      chmod(path, 0o666)
      chmod(folder.path, 0o755)
      let refused = try asNobody("{\"command\":\"keys.list\"}")
      #expect(refused == "")
      let answer = try ask("{\"command\":\"keys.list\"}")
      #expect(answer == "{\"keys\":[]}")
    }
  }

  /// What another user is answered, who connects by a program of the system.
  private func asNobody(_ line: String) throws -> String {
    let script = """
      import os, socket, sys
      os.setgid(65534); os.setuid(65534)
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(sys.argv[2].encode() + b"\\n")
      print(s.recv(1000).decode(), end="")
      """
    return try Program.run("/usr/bin/env", ["python3", "-c", script, path, line])
  }

  @Test(arguments: [
    (#"{"command":"keys.list"}"#, #"{"keys":[]}"#),
    (#"{"command":"quarantine.list"}"#, #"{"items":[]}"#),
    (#"{"command":"quarantine.retry"}"#, #"{"taken":0,"left":0,"items":[]}"#),
    (
      #"{"command":"keys.revoke","name":"x"}"#,
      #"{"error":"No key is named x.","code":"badParameter","advice":"'clawback keys list' "#
        + #"shows every key, and which were revoked."}"#
    ),
    (
      #"{"command":"keys.create","name":"x"}"#,
      #"{"error":"A key has a name of 1 to 100 bytes without control characters, a scope, apps and an "#
        + #"environment.","code":"badParameter"}"#
    ),
    (
      #"{"command":"webhooks.create","url":"https://hooks.example/","environment":"Xcode"}"#,
      #"{"error":"Xcode is not an environment of the configuration.","code":"malformedBody"}"#
    ),
    (#"{"command":"stop"}"#, unknown), ("{}", unknown),
  ])
  func `a command is answered in one line`(line: String, answer: String) throws {
    try serving { _ in
      let answered = try ask(line)
      #expect(answered == answer)
    }
  }

  @Test func `what is no command is not answered, and others still are`() throws {
    try serving { _ in
      #expect(LocalSocket.ask(Array("hello".utf8), at: path) == nil)
      let answer = try ask(#"{"command":"keys.list"}"#)
      #expect(answer == #"{"keys":[]}"#)
    }
  }

  @Test func `a key counts from its making to its end`() throws {
    try serving { served in
      let made = try JSONValue(
        json: Array(
          ask(
            #"{"command":"keys.create","name":"k","scope":"read","apps":["com.example.app"],"#
              + #""environment":"Sandbox"}"#
          ).utf8))
      let field = "Authorization: Bearer \(made["secret"]?.string ?? "")\r\n"
      #expect(try served.call("GET /v1/events", fields: field).status == 200)
      #expect(try ask(#"{"command":"keys.revoke","name":"k"}"#) == #"{"revoked":"k"}"#)
      #expect(try served.call("GET /v1/events", fields: field).status == 401)
      #expect(try ask(#"{"command":"keys.list"}"#).contains("\"revokedAtMs\""))
    }
  }

  @Test func `a path that cannot be used is named, and nothing is left running`() throws {
    let long = folder.path + "/" + String(repeating: "x", count: 120)
    let rows = [
      (long, "File name too long"),
      (folder.file("none") + "/socket", "No such file or directory"),
      (folder.path, "Address already in use"),
    ]
    for (path, detail) in rows {
      let error = #expect(throws: ServiceError.self) {
        try ServedLedger { $0.socketPath = path }.stop()
      }
      #expect(error?.description == "\(path) cannot be used: \(detail)")
    }
    #expect(mode(folder.path).map { $0 & S_IFMT } == S_IFDIR)
  }

  @Test func `two servers do not share a port unnoticed`() throws {
    try serving { served in
      let error = #expect(throws: ServiceError.self) {
        try ServedLedger { $0.listener.port = served.service.port }.stop()
      }
      #expect(
        error?.description
          == "127.0.0.1 port \(served.service.port) cannot be bound: Address already in use")
      let answer = try served.call("GET /healthz")
      #expect(answer.status == 200)
    }
  }
}
