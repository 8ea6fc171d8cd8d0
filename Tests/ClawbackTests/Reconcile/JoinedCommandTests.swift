import AppStoreModel
import Foundation
import Glibc
import Testing

@testable import LedgerServer
@testable import clawback

/// Commands that join a process which holds the ledger, and which then ends.
struct JoinedCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Answers so many questions at a socket, and is gone.
  private func holder(answering answers: [String], at path: String) throws {
    let listener = try #require(LocalSocket.listen(at: path))
    Thread {
      for answer in answers {
        let connection = accept(listener, nil, nil)
        _ = LocalSocket.line(from: connection)
        LocalSocket.send(Array(answer.utf8) + [0x0A], to: connection)
        close(connection)
      }
      close(listener)
      unlink(path)
    }.start()
  }

  @Test func `whoever joined a process that ends is told so, and what to do`() async throws {
    let config = folder.appending(path: "c.json5").path
    try Data(
      """
      {
        environments: ["Sandbox"], database: "sqlite:\(folder.appending(path: "l.db").path)",
        apps: [{
          bundleId: "a.b", appStoreConnect: { keyFile: "k.p8", keyId: "K", issuerId: "I" },
        }],
      }
      """.utf8
    ).write(to: URL(filePath: config))
    let open = #"{"isFinished":false,"scopes":[]}"#
    try holder(
      answering: [open, open, open], at: folder.appending(path: "l.db.socket").path)
    let captured = CapturedConsole()
    let code = await withCheckedContinuation { continuation in
      Thread {
        continuation.resume(
          returning: Dispatcher(commands: CommandList.all).run(
            ["reconcile", "--config", config, "--log", config + ".log"], on: captured.console()))
      }.start()
    }
    #expect(code == .failure)
    #expect(
      captured.diagnostics.contains(
        "The process that holds the ledger does the work and writes its own log"))
    #expect(
      captured.diagnostics.hasSuffix(
        """
        clawback reconcile: The process that holds the ledger and did the work has ended.
        Run it again: it goes on where that one stopped.

        """))
    let made = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(made == ["c.json5", "c.json5.log"], "no ledger is made beside the one of another")
  }
}
